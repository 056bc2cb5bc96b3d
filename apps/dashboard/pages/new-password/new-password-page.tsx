import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { bodyOf, openApi } from '../../api/client.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { FrontSheet } from '../../components/front-sheet.tsx'
import { NewPasswordFields, useNewPassword } from '../../components/forms/new-password-fields.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconCheck } from '../../icons/icons.ts'
import { useSession } from '../../sign-in/session-context.ts'

const title = 'Choose a new password'
const description =
  'This signs you out everywhere: browsers, command lines, devices and apps. API keys keep working.'

/** The target of the link in a password reset email. */
export function NewPasswordPage() {
  // The code is in the fragment, which browsers do not send to servers.
  const [code] = useState(() => location.hash.slice(1))
  return (
    <Sheet>
      {code === '' ? (
        <Alert color="yellow" title="This link is incomplete">
          Open the full link from the email.
        </Alert>
      ) : (
        <NewPassword code={code} />
      )}
    </Sheet>
  )
}

function Sheet({ children }: { children: ReactNode }) {
  const { user } = useSession()
  if (user === undefined)
    return (
      <FrontSheet title={title} description={description}>
        {children}
      </FrontSheet>
    )
  return (
    <>
      <PageHeader title={title} description={description} />
      <Panel maw={560}>{children}</Panel>
    </>
  )
}

function NewPassword({ code }: { code: string }) {
  const { isComplete, ...typed } = useNewPassword()
  const change = useMutation({
    mutationFn: () =>
      bodyOf(openApi.POST('/api/v1/auth/new-password', { body: { code, new_password: typed.password } })),
    onSuccess: () => history.replaceState(history.state, '', location.pathname),
  })
  if (change.data !== undefined) return <Done email={change.data.email} />
  return (
    <ChangeForm
      change={change}
      submit="Set the password"
      isComplete={isComplete}
      fieldNames={['new_password']}
      onCancel={() => location.assign('/')}
    >
      <NewPasswordFields {...typed} isFirst />
    </ChangeForm>
  )
}

function Done({ email }: { email: string }) {
  return (
    <Stack>
      <Alert role="status" color="teal" icon={<IconCheck size={18} />} title="Your password was changed">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Sign in with {email} and your new password.
        </Text>
      </Alert>
      <Button size="md" onClick={() => location.assign('/')}>
        Go to sign-in
      </Button>
    </Stack>
  )
}
