import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { accountQuery, keysQuery } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems, isAtField } from '../../components/forms/field-error.tsx'
import { spendLimitBody, type SpendLimit } from '../keys/forms/limit-values.ts'
import { SpendLimitField, spendLimitNames } from '../keys/forms/spend-limit-field.tsx'
import { CreditField, noMove, type CreditMove } from './credit-field.tsx'

interface DecisionFormProps {
  device: Schemas['DeviceSignIn']
  onDecided: (device: Schemas['DeviceSignIn']) => void
  onCancel: () => void
}

/** The fields that show their own errors. */
const fieldNames = [...spendLimitNames, 'credit_usd']

/** Enough for a month of one person's work, and a small loss if the key leaks. */
const suggestedLimit: SpendLimit = { spendUsd: '20', spendPeriod: 'month' }

/** Shows which program asks, from where, which key it would use, and with which limit. */
export function DecisionForm({ device, onDecided, onCancel }: DecisionFormProps) {
  const { data: keys } = useQuery(keysQuery)
  const [limit, setLimit] = useState(limitOf(device.key))
  const [move, setMove] = useState(noMove)
  const params = { path: { user_code: device.user_code } }
  const body = { ...spendLimitBody(limit), ...moveBody(move) }
  const approval = useChange('keys', onDecided, () =>
    api.POST('/api/v1/me/device-sign-ins/{user_code}/approve', { params, body }),
  )
  const denial = useChange('keys', onDecided, () =>
    api.POST('/api/v1/me/device-sign-ins/{user_code}/deny', { params }),
  )
  const problem = approval.error ?? denial.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        approval.mutate()
      }}
    >
      <Stack>
        <DeviceFacts device={device} />
        <FormProblems error={problem}>
          <SpendLimitField values={limit} onChange={setLimit} />
          <CreditField move={move} onChange={setMove} target={device.key} keys={keys?.data ?? []} />
        </FormProblems>
        {problem !== null && !isAtField(problem, fieldNames) && <FailureNote error={problem} />}
        <Group justify="space-between" mt="xs">
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Use another code
          </Button>
          <Group gap="sm">
            <Button variant="default" loading={denial.isPending} onClick={() => denial.mutate()}>
              Do not connect
            </Button>
            <Button type="submit" loading={approval.isPending}>
              Connect
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

function DeviceFacts({ device }: { device: Schemas['DeviceSignIn'] }) {
  const { data: account } = useQuery(accountQuery)
  const isOrganization = account?.kind === 'organization'
  return (
    <>
      <Facts
        facts={[
          ['Identifies as', device.client_name],
          ['Code', device.user_code],
          ['Requested from', device.address],
          [
            isOrganization ? 'For the organization' : 'Your account',
            account === undefined ? null : nameOf(account),
          ],
          ['Key', device.key === null ? 'a new key' : `${device.key.name}, like your other devices`],
        ]}
      />
      <Text size="sm">
        It will call models at {isOrganization ? 'the organization’s' : 'your'} expense. Continue only if you
        just started this yourself and your device shows this code.
      </Text>
    </>
  )
}

function nameOf({ kind, display_name: name, email, id }: Schemas['Me']): string {
  return (kind === 'organization' ? name : email) ?? id
}

function limitOf(key: Schemas['Key'] | null): SpendLimit {
  if (key === null) return suggestedLimit
  return { spendUsd: key.spend_limit_usd ?? '', spendPeriod: key.spend_limit_period ?? 'month' }
}

function moveBody({ fromKeyId, usd }: CreditMove) {
  return fromKeyId === '' ? {} : { from_key_id: fromKeyId, credit_usd: usd.trim() }
}
