import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '../../../api/queries.ts'
import { usePerson } from '../../../api/use-person.ts'
import { Facts } from '../../../components/facts.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { NameForm } from '../../../components/forms/name-form.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { SendVerification } from '../../../components/send-verification.tsx'
import { dateOf } from '../../../format/time.ts'
import type { Schemas } from '../../../api/client.ts'
import { useDialog } from '../use-dialog.ts'
import { EmailForm } from './email-form.tsx'
import { PasswordForm } from './password-form.tsx'

/** Name, email address and password, as far as the identity provider lets them be changed here. */
export function Profile() {
  const account = usePerson()
  const login = useQuery(loginQuery)
  const { action, close } = useDialog()
  return (
    <Loaded query={account} skeleton={<Skeleton height={420} radius="lg" />}>
      {(me) => (
        <Stack gap="lg">
          <Panel title="Name" description="Shown here, and on receipts from the next payment on.">
            <NameForm of="person" key={me.display_name} name={me.display_name ?? ''} />
          </Panel>
          <Loaded query={login} skeleton={<Skeleton height={190} radius="lg" />}>
            {(found) => <SignIn login={found} />}
          </Loaded>
          <Panel title="Account">
            <Facts
              facts={[
                [
                  'Identifier',
                  <Text
                    key="id"
                    size="sm"
                    ff="monospace"
                    style={{ overflowWrap: 'anywhere' }}
                    children={me.id}
                  />,
                ],
                ['Tier', me.tier],
                ['Since', dateOf(me.created_at)],
              ]}
            />
          </Panel>
          <FormDialog opened={action === 'email'} onClose={close} title="Change email">
            {action === 'email' && <EmailForm sendsMail={login.data?.sends_mail === true} onDone={close} />}
          </FormDialog>
          <FormDialog opened={action === 'password'} onClose={close} title="Change password">
            {action === 'password' && <PasswordForm onDone={close} />}
          </FormDialog>
        </Stack>
      )}
    </Loaded>
  )
}

function SignIn({ login }: { login: Schemas['Login'] }) {
  const { open } = useDialog()
  const may = (what: (typeof login.may_change)[number]): boolean => login.may_change.includes(what)
  return (
    <Panel title="Sign-in" description={explanation(login)}>
      <Facts
        facts={[
          ['Email', login.email ?? 'none'],
          login.email === null ? ['Verified', null] : ['Verified', login.email_verified ? 'yes' : 'no'],
          ['Soon', login.pending_email === null ? null : waitsFor(login.pending_email)],
        ]}
      />
      {login.sends_mail && login.email !== null && !login.email_verified && (
        <Stack gap="sm" mt="md">
          <Text size="sm" c="dimmed">
            We emailed you a link. Until you open it, you will not receive invitations and alerts, and you
            cannot reset a lost password.
          </Text>
          <SendVerification />
        </Stack>
      )}
      {(may('email') || may('password')) && (
        <Group gap="sm" mt="md">
          {may('email') && (
            <Button variant="default" onClick={() => open('email')}>
              Change email
            </Button>
          )}
          {may('password') && (
            <Button variant="default" onClick={() => open('password')}>
              Change password
            </Button>
          )}
        </Group>
      )}
    </Panel>
  )
}

function waitsFor(email: string): string {
  return `${email}, after you open the link that we emailed there`
}

function explanation({ provider, may_change: may }: Schemas['Login']): string {
  if (provider === 'elsewhere') return 'Change your email and password at your identity provider.'
  return may.includes('email')
    ? 'You need your current password to change your email or password.'
    : 'Only the operator can change your email, with an invitation.'
}
