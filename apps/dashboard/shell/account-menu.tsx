import { Avatar, Menu, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { usePerson } from '../api/use-person.ts'
import classes from './shell.module.css'

const AccountItems = lazy(() => import('./account-items.tsx').catch(() => ({ default: NotLoaded })))

/** Who signed in. */
export function AccountMenu() {
  const { data: account } = usePerson()
  const name = account?.display_name ?? account?.email ?? 'Account'
  return (
    <Menu position="top-start" width={216} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.account}>
          <VisuallyHidden>Account menu of</VisuallyHidden>
          <Avatar size={32} radius="xl" color="pine" variant="light" name={name} />
          <div className={classes.who}>
            <Text size="sm" fw={600} truncate>
              {name}
            </Text>
            {account?.display_name !== null && account?.email !== null && (
              <Text size="xs" c="dimmed" truncate>
                {account?.email}
                {account?.email_verified === false && ', not verified'}
              </Text>
            )}
          </div>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense fallback={<Skeleton height={236} />}>
          <AccountItems />
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  )
}

function NotLoaded() {
  return <Menu.Label>The gateway does not answer.</Menu.Label>
}
