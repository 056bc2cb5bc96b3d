import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCog,
} from '../../icons/icons.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../sign-in/session-context.ts'
import { OpeningMenu } from '../opening-menu.tsx'
import classes from '../shell.module.css'

const schemes: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
]

/** The menu of the signed-in person; it opens as soon as its code is loaded. */
export default function AccountMenu({ children }: { children: ReactNode }) {
  const session = useSession()
  const signOut = useMutation({ mutationFn: () => session.signOut() })
  return (
    <OpeningMenu className={classes.account} position="top-start" button={children}>
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
    </OpeningMenu>
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
