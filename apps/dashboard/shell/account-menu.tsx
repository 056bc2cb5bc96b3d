import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core'
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCog,
} from '../icons/icons.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePerson } from '../api/use-person.ts'
import { useSession } from '../sign-in/session-context.ts'
import classes from './shell.module.css'

const schemes: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
]

export function AccountMenu() {
  const session = useSession()
  const { data: account } = usePerson()
  const signOut = useMutation({ mutationFn: () => session.signOut() })
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
        <Menu.Item
          renderRoot={(props) => <Link to="/settings" {...props} />}
          leftSection={<IconUserCog size={16} />}
        >
          Settings
        </Menu.Item>
        <Menu.Divider />
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>Appearance</Menu.Label>
      {schemes.map(({ value, label, icon: SchemeIcon }) => (
        <Menu.Item
          key={value}
          leftSection={<SchemeIcon size={16} />}
          rightSection={colorScheme === value ? <IconCheck size={14} aria-label="chosen" /> : undefined}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
