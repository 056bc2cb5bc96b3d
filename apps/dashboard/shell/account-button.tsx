import { Avatar, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { usePerson } from '../api/use-person.ts'
import classes from './shell.module.css'

const load = () => import('./account-menu.tsx')
const AccountMenu = lazy(() => load().catch(() => ({ default: NotLoaded })))

/** Who is signed in. The menu's code comes for whoever is about to open it. */
export function AccountButton() {
  const [isWanted, setWanted] = useState(false)
  const ahead = () => void load().catch(() => undefined)
  const button = (
    <UnstyledButton
      className={classes.account}
      aria-haspopup="menu"
      aria-busy={isWanted}
      onPointerEnter={ahead}
      onFocus={ahead}
      onClick={() => setWanted(true)}
    >
      <Who />
    </UnstyledButton>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu>
        <Who />
      </AccountMenu>
    </Suspense>
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

function NotLoaded() {
  return (
    <Text size="sm" role="alert" px="xs">
      The menu did not arrive: load the page again.
    </Text>
  )
}
