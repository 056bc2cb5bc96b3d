import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { hasLostOrganization } from '../api/acting.ts'
import { AccountButton } from './account/account-button.tsx'
import { AccountSwitcher } from './account/account-switcher.tsx'
import { AwayNote } from './away-note.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'

const LostOrganization = lazy(() => import('./lost-organization.tsx').catch(() => ({ default: () => null })))

/** The frame of every page: navigation and account menu. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  const opener = useRef<HTMLButtonElement>(null)
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(close, [pathname, close])
  useEffect(() => {
    if (isOpen) closer.current?.focus()
  }, [isOpen])
  const closeAgain = () => {
    close()
    opener.current?.focus()
  }
  return (
    <AppShell
      layout="alt"
      padding={0}
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
    >
      <a href="#page" className="skip-link">
        Skip to the page
      </a>
      <AppShell.Header hiddenFrom="md" className={classes.header}>
        <Brand />
        <Burger
          ref={opener}
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label="Navigation"
          aria-expanded={isOpen}
        />
      </AppShell.Header>
      <AppShell.Navbar
        className={classes.navbar}
        aria-label="Dashboard"
        data-open={isOpen || undefined}
        onKeyDown={({ key }) => {
          // An open menu in the navigation closes first.
          if (key === 'Escape' && isOpen && document.querySelector('[role=menu]') === null) closeAgain()
        }}
      >
        <Group justify="space-between" className={classes.brand}>
          <Brand />
          <Burger
            ref={closer}
            opened={isOpen}
            onClick={closeAgain}
            size="sm"
            hiddenFrom="md"
            aria-label="Close the navigation"
          />
        </Group>
        <AccountSwitcher />
        <Navigation />
        <AccountButton />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main}>
        <div id="page" tabIndex={-1} className={classes.page}>
          <AwayNote />
          <LostNote />
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  )
}

function LostNote() {
  if (!hasLostOrganization()) return null
  return (
    <Suspense fallback={null}>
      <LostOrganization />
    </Suspense>
  )
}

function Brand() {
  return (
    <Group gap="xs">
      <Mark size={26} />
      <Text fw={700} size="lg" component="span">
        Turnpike
      </Text>
    </Group>
  )
}
