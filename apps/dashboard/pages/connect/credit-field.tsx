import { Group, Select } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { payerOf, payersAmong } from '../../api/payers.ts'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { AmountField } from '../../components/forms/amount-field.tsx'

/** Credit to transfer, as the form holds it. */
export interface CreditMove {
  /** Empty: no credit is transferred. */
  fromKeyId: string
  usd: string
}

interface CreditFieldProps {
  move: CreditMove
  onChange: (move: CreditMove) => void
  /** The key that receives the credit, if it exists already. */
  target: Schemas['Key'] | null
  keys: Schemas['Key'][]
}

export const noMove: CreditMove = { fromKeyId: '', usd: '' }

/**
 * Whether the key uses the account's credit, or its own: from which key, and how much. Renders nothing if
 * no key has credit.
 */
export function CreditField({ move, onChange, target, keys }: CreditFieldProps) {
  const sources = payersAmong(keys).filter(
    ({ id, balance_usd: balance }) => id !== target?.id && parseUsd(balance) > 0n,
  )
  if (sources.length === 0) return null
  const hasOwn = target !== null && target.draws_on === null
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Select
        label="Credit"
        flex={1}
        allowDeselect={false}
        data={[
          { value: '', label: asItIs(target, keys) },
          ...sources.map(({ id, name, balance_usd: balance }) => ({
            value: id,
            label: `${hasOwn ? 'More' : 'Only what is moved'} from ${name}, which has ${exactUsd(balance)}`,
          })),
        ]}
        value={move.fromKeyId}
        onChange={(value) => value !== null && onChange({ ...move, fromKeyId: value })}
      />
      {move.fromKeyId !== '' && (
        <AmountField
          name="credit_usd"
          aria-label="Amount"
          w={130}
          required
          value={move.usd}
          onChange={(usd) => onChange({ ...move, usd })}
        />
      )}
    </Group>
  )
}

/** The credit that the key uses without a transfer: a new key draws on the account's default key. */
function asItIs(target: Schemas['Key'] | null, keys: readonly Schemas['Key'][]): string {
  const payer = target === null ? payersAmong(keys)[0] : payerOf(target, keys)
  if (payer === undefined) return 'None yet'
  if (payer.id === target?.id) return `Its own: ${exactUsd(payer.balance_usd)}`
  return `The account’s: ${exactUsd(payer.balance_usd)} on ${payer.name}`
}
