import { Button, Group, Text } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import { PageLink } from '../components/page-link.tsx'
import { useSession } from '../sign-in/session-context.ts'
import { AwayNote } from './away-note.tsx'
import { Mark } from './mark.tsx'
import classes from './public-shell.module.css'
import shellClasses from './shell.module.css'

/** The frame of pages that are open to everybody; it shows nothing of an account. */
export function PublicShell() {
  const session = useSession()
  const signIn = useMutation({ mutationFn: () => session.signIn() })
  return (
    <div className={classes.ground}>
      <a href="#page" className="skip-link">
        Skip to the page
      </a>
      <header className={classes.header}>
        <Group justify="space-between" className={classes.bar} wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Mark size={26} />
            <Text fw={700} size="lg" component="span">
              Turnpike
            </Text>
          </Group>
          <Group gap="md" wrap="nowrap">
            <PageLink to="/models" visibleFrom="xs">
              Models
            </PageLink>
            <Button size="sm" loading={signIn.isPending} onClick={() => signIn.mutate()}>
              Sign in
            </Button>
          </Group>
        </Group>
      </header>
      <main id="page" tabIndex={-1} className={shellClasses.page}>
        {signIn.error !== null && (
          <Text role="alert" c="red" size="sm" mb="md">
            {signIn.error.message}
          </Text>
        )}
        <AwayNote />
        <Outlet />
      </main>
    </div>
  )
}
