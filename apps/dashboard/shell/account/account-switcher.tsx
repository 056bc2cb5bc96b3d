import { Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from '../../api/acting.ts'
import { accountQuery } from '../../api/queries.ts'
import { roleNames } from '../../api/role-names.ts'
import { IconBuilding, IconHome, IconSelector } from '../../icons/icons.ts'
import { lazyMenu } from '../lazy-menu.tsx'
import classes from '../shell.module.css'

const SwitcherMenu = lazyMenu(() => import('./switcher-menu.tsx'))

/** The account that everything below is about: the person's own, or an organization. */
export function AccountSwitcher() {
  const { data: account } = useQuery(accountQuery)
  const isOrganization = currentOrganization() !== undefined
  const PlaceIcon = isOrganization ? IconBuilding : IconHome
  return (
    <SwitcherMenu className={classes.switcher}>
      <VisuallyHidden>Switch account, current:</VisuallyHidden>
      <PlaceIcon size={19} stroke={1.7} aria-hidden className={classes.acted} />
      <div className={classes.who}>
        <Text size="sm" fw={600} truncate>
          {isOrganization ? (account?.display_name ?? 'Organization') : 'Your account'}
        </Text>
        {isOrganization && (
          <Text size="xs" c="dimmed" truncate>
            {account === undefined ? '…' : roleNames[account.role]}
          </Text>
        )}
      </div>
      <IconSelector size={16} aria-hidden />
    </SwitcherMenu>
  )
}
