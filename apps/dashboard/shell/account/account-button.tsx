import { Avatar, Text, VisuallyHidden } from '@mantine/core'
import { usePerson } from '../../api/use-person.ts'
import { lazyMenu } from '../lazy-menu.tsx'
import classes from '../shell.module.css'

const AccountMenu = lazyMenu(() => import('./account-menu.tsx'))

/** Shows the signed-in person. */
export function AccountButton() {
  return (
    <AccountMenu className={classes.account}>
      <Who />
    </AccountMenu>
  )
}

function Who() {
  const { data: account } = usePerson()
  const name = account?.display_name ?? account?.email ?? 'Account'
  return (
    <>
      <VisuallyHidden>Account menu of</VisuallyHidden>
      <Avatar size={32} radius="xl" color="pine" variant="light" name={name} />
      <div className={classes.who}>
        <Text size="sm" fw={600} truncate>
          {name}
        </Text>
        {account?.display_name !== null && account?.email !== null && (
          <Text size="xs" c="dimmed" truncate>
            {account?.email}
          </Text>
        )}
        {account?.email_verified === false && (
          <Text size="xs" c="dimmed">
            not verified
          </Text>
        )}
      </div>
    </>
  )
}
