import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { bodyOf, personApi, type Schemas } from '../../../api/client.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { exactUsd, parseUsd } from '../../../format/money.ts'
import { countOf } from '../../../format/number.ts'
import { IconAlertTriangle } from '../../../icons/icons.ts'
import { useSession } from '../../../sign-in/session-context.ts'
import { closingQuery } from '../settings-queries.ts'
import { ConfirmField } from '../../../components/forms/confirm-field.tsx'

type Closing = Schemas['AccountClosing']

/** Explains the consequences first, then requires a confirmation to be typed. */
export function CloseForm({ onCancel }: { onCancel: () => void }) {
  const query = useQuery({ ...closingQuery, staleTime: 0 })
  return (
    <Loaded query={query} skeleton={<Skeleton height={360} />}>
      {(closing) => <ConfirmForm closing={closing} onCancel={onCancel} />}
    </Loaded>
  )
}

function ConfirmForm({ closing, onCancel }: { closing: Closing; onCancel: () => void }) {
  const [typed, setTyped] = useState('')
  const change = useMutation<{ account_id: string; credit_usd: string }>({
    mutationFn: () => bodyOf(personApi.POST('/api/v1/me/close', { body: { confirm: typed.trim() } })),
  })
  if (change.data !== undefined) return <Closed closed={change.data} />
  return (
    <ChangeForm
      change={{ error: change.error, isPending: change.isPending, mutate: () => change.mutate() }}
      submit="Close permanently"
      isComplete={typed.trim().toLowerCase() === closing.confirm.toLowerCase()}
      fieldNames={['confirm']}
      isFinal
      onCancel={onCancel}
    >
      <Credit closing={closing} />
      <Text size="sm">
        These stop working at once: {countOf(closing.active_keys, 'key')}, and{' '}
        {countOf(closing.sessions, 'session')}, including this one. Requests in progress are still charged.
      </Text>
      <Told title="Erased" items={closing.erased} />
      <Told title="Kept for accounting" items={closing.kept} />
      <ConfirmField text={closing.confirm} typed={typed} onChange={setTyped} />
    </ChangeForm>
  )
}

function Credit({
  closing: { credit_usd: credit, account_id: id, open_topups: open },
}: {
  closing: Closing
}) {
  const left = parseUsd(credit)
  return (
    <>
      {left > 0n && (
        <Warning title={`${exactUsd(credit)} of credit is left`}>
          It is not refunded automatically and stays on record. Ask the operator for a refund, ideally before
          you close the account, and name its id: <code>{id}</code>.
        </Warning>
      )}
      {left < 0n && (
        <Warning title={`The account has a negative balance of ${exactUsd(-left)}`}>
          It stays on record.
        </Warning>
      )}
      {left === 0n && <Text size="sm">There is no credit left.</Text>}
      {open > 0 && (
        <Warning title={`${countOf(open, 'checkout')} can still be paid`}>
          They are cancelled with the account. Do not pay them any more: the credit would go to a closed
          account.
        </Warning>
      )}
    </>
  )
}

function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert
      variant="outline"
      color="orange"
      bg="var(--mantine-color-body)"
      icon={<IconAlertTriangle size={18} />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Alert>
  )
}

function Told({ title, items }: { title: string; items: string[] }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <List size="sm" spacing={4}>
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </div>
  )
}

/** Shown once the account is closed. */
function Closed({ closed }: { closed: { account_id: string; credit_usd: string } }) {
  const session = useSession()
  return (
    <Stack>
      <Text size="sm">
        Your account is closed and you have been signed out.
        {parseUsd(closed.credit_usd) > 0n && (
          <>
            {' '}
            {exactUsd(closed.credit_usd)} of credit stays on record. The operator can find it by{' '}
            <code>{closed.account_id}</code>.
          </>
        )}
      </Text>
      <Button onClick={() => void session.signOut()}>Leave</Button>
    </Stack>
  )
}
