import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { accountQuery, keysQuery } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { exactUsd } from '../../format/money.ts'
import { SpendLimitField } from '../keys/spend-limit-field.tsx'
import { spendLimitBody, type SpendLimit } from '../keys/limit-values.ts'

interface DecisionFormProps {
  device: Schemas['DeviceSignIn']
  onDecided: (device: Schemas['DeviceSignIn']) => void
  onCancel: () => void
}

/** A month of somebody's work, and no more than they would miss. */
const suggestedLimit: SpendLimit = { spendUsd: '20', spendPeriod: 'month' }
const noCredit = ''

/** What asks, from where, as whom it would act, and up to which limit. */
export function DecisionForm({ device, onDecided, onCancel }: DecisionFormProps) {
  const { data: account } = useQuery(accountQuery)
  const { data: keys } = useQuery(keysQuery)
  const [limit, setLimit] = useState(limitOf(device.key))
  const [source, setSource] = useState(noCredit)
  const [credit, setCredit] = useState('')
  const path = { user_code: device.user_code }
  const funding = source === noCredit ? {} : { from_key_id: source, credit_usd: credit.trim() }
  const approval = useChange(
    'keys',
    () =>
      bodyOf(
        api.POST('/api/v1/me/device-sign-ins/{user_code}/approve', {
          params: { path },
          body: { ...spendLimitBody(limit), ...funding },
        }),
      ),
    onDecided,
  )
  const denial = useChange(
    'keys',
    () => bodyOf(api.POST('/api/v1/me/device-sign-ins/{user_code}/deny', { params: { path } })),
    onDecided,
  )
  const sources = (keys?.data ?? []).filter(
    ({ id, status, balance_usd: balance }) =>
      status === 'active' && id !== device.key?.id && balance !== '0' && !balance.startsWith('-'),
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
        <Facts
          facts={[
            ['Says that it is', device.client_name],
            ['Code', device.user_code],
            ['Asked from', device.address],
            ['Your account', account === undefined ? null : (account.email ?? account.id)],
            ['Key', device.key === null ? 'a new one' : `${device.key.name}, as other devices of yours`],
          ]}
        />
        <Text size="sm">
          It will call models at your expense. Go on only if you started this yourself just now, and your
          device shows this code.
        </Text>
        <SpendLimitField values={limit} onChange={setLimit} />
        {sources.length > 0 && (
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <Select
              label="Move credit to it from"
              flex={1}
              allowDeselect={false}
              data={[
                { value: noCredit, label: `no key: it has ${exactUsd(device.key?.balance_usd ?? '0')}` },
                ...sources.map(({ id, name, balance_usd: balance }) => ({
                  value: id,
                  label: `${name}: ${exactUsd(balance)}`,
                })),
              ]}
              value={source}
              onChange={(value) => value !== null && setSource(value)}
            />
            <TextInput
              aria-label="How much"
              w={130}
              leftSection="$"
              inputMode="decimal"
              disabled={source === noCredit}
              required={source !== noCredit}
              value={credit}
              onChange={(event) => setCredit(event.currentTarget.value)}
            />
          </Group>
        )}
        {problem !== null && <FailureNote error={problem} />}
        <Group justify="space-between" mt="xs">
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Another code
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

function limitOf(key: Schemas['Key'] | null): SpendLimit {
  if (key === null) return suggestedLimit
  return { spendUsd: key.spend_limit_usd ?? '', spendPeriod: key.spend_limit_period ?? 'month' }
}
