import { Button, Checkbox, Chip, Group, Select, Stack, Text } from '@mantine/core'
import { IconExternalLink } from '../../icons/icons.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { ownFromThen, payersAmong } from '../../api/payers.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems, isAtField } from '../../components/forms/field-error.tsx'
import { Panel } from '../../components/panel.tsx'
import { openCheckoutTab, type CheckoutTab } from './checkout-tab.ts'
import { AmountField } from '../../components/forms/amount-field.tsx'

const route = getRouteApi('/credit')
const amounts = ['10', '25', '100', '500']

interface TopupFormProps {
  keys: Schemas['Key'][]
  /** Called with whether the browser let the checkout's tab open. */
  onOpened: (isOpen: boolean) => void
}

/** Opens a checkout in another tab; this page follows it. */
export function TopupForm({ keys, onOpened }: TopupFormProps) {
  const navigate = route.useNavigate()
  const [amount, setAmount] = useState('25')
  const [keyId, setKeyId] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { idempotencyKey, change } = useIdempotencyKey()
  const tab = useRef<CheckoutTab>(undefined)
  const opening = useChange(
    'credit',
    async ({ session_id: session, checkout_url: address }) => {
      change(() => undefined)
      if (address === null) tab.current?.close()
      else tab.current?.go(address)
      onOpened(tab.current?.isOpen === true)
      await navigate({ search: { session }, replace: true })
    },
    () =>
      api.POST('/api/v1/topup', {
        params: { header: { 'Idempotency-Key': idempotencyKey } },
        body: {
          amount_usd: amount.trim(),
          ...(keyId !== null && { key_id: keyId }),
          ...(isSaved && { save_payment_method: true }),
        },
      }),
  )
  return (
    <Panel title="Add credit">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          tab.current = openCheckoutTab()
          opening.mutate(undefined, { onError: () => tab.current?.close() })
        }}
      >
        <Stack gap="md">
          <FormProblems error={opening.error}>
            <Amounts amount={amount} onChange={(value) => change(() => setAmount(value))} />
          </FormProblems>
          <ForWhom keys={keys} keyId={keyId} onChange={(value) => change(() => setKeyId(value))} />
          <Checkbox
            label="Save for automatic top-ups"
            description="It is only charged if you set up automatic top-up."
            checked={isSaved}
            onChange={({ currentTarget: { checked } }) => change(() => setSaved(checked))}
          />
          {opening.error !== null && !isAtField(opening.error, ['amount_usd']) && (
            <FailureNote error={opening.error} />
          )}
          <Button
            type="submit"
            loading={opening.isPending}
            disabled={amount.trim() === ''}
            rightSection={<IconExternalLink size={16} />}
          >
            Go to the checkout
          </Button>
          <Text size="sm" c="dimmed">
            You pay on the payment processor’s page. The gateway never sees your card.
          </Text>
        </Stack>
      </form>
    </Panel>
  )
}

interface ForWhomProps {
  keys: Schemas['Key'][]
  /** Null: the account, meaning its default key. */
  keyId: string | null
  onChange: (keyId: string | null) => void
}

function ForWhom({ keys, keyId, onChange }: ForWhomProps) {
  const [account] = payersAmong(keys)
  const named = keys.find(({ id }) => id === keyId)
  return (
    <Select
      label="For"
      description={ownFromThen(named, keys)}
      allowDeselect={false}
      data={[
        {
          value: '',
          label: account === undefined ? 'The first key you create' : `The account, on ${account.name}`,
        },
        ...keys.map(({ id, name }) => ({ value: id, label: `Only ${name}` })),
      ]}
      value={keyId ?? ''}
      onChange={(value) => onChange(value === '' ? null : value)}
    />
  )
}

function Amounts({ amount, onChange }: { amount: string; onChange: (amount: string) => void }) {
  return (
    <div>
      <AmountField name="amount_usd" label="Amount" required value={amount} onChange={onChange} />
      <Chip.Group value={amount} onChange={onChange}>
        <Group gap="xs" mt="xs">
          {amounts.map((one) => (
            <Chip key={one} value={one} size="xs" variant="outline">
              ${one}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </div>
  )
}
