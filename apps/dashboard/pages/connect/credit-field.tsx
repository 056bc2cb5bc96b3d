import { Group, Select, TextInput } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { useFieldError } from '../../components/field-error.tsx'
import { exactUsd } from '../../format/money.ts'

/** Credit that is to move, as a form holds it. */
export interface CreditMove {
  /** Empty: none moves. */
  fromKeyId: string
  usd: string
}

interface CreditFieldProps {
  move: CreditMove
  onChange: (move: CreditMove) => void
  /** The key that it moves to, where there is one. */
  target: Schemas['Key'] | null
  keys: Schemas['Key'][]
}

export const noMove: CreditMove = { fromKeyId: '', usd: '' }

/** From which key, and how much; nothing where no key has any. */
export function CreditField({ move, onChange, target, keys }: CreditFieldProps) {
  const problem = useFieldError('credit_usd')
  const sources = keys.filter(
    ({ id, status, balance_usd: balance }) =>
      status === 'active' && id !== target?.id && balance !== '0' && !balance.startsWith('-'),
  )
  if (sources.length === 0) return null
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Select
        label="Move credit to it from"
        flex={1}
        allowDeselect={false}
        data={[
          { value: '', label: `no key: it has ${exactUsd(target?.balance_usd ?? '0')}` },
          ...sources.map(({ id, name, balance_usd: balance }) => ({
            value: id,
            label: `${name}: ${exactUsd(balance)}`,
          })),
        ]}
        value={move.fromKeyId}
        onChange={(value) => value !== null && onChange({ ...move, fromKeyId: value })}
      />
      <TextInput
        {...problem}
        aria-label="How much"
        w={130}
        leftSection="$"
        inputMode="decimal"
        disabled={move.fromKeyId === ''}
        required={move.fromKeyId !== ''}
        value={move.usd}
        onChange={(event) => onChange({ ...move, usd: event.currentTarget.value })}
      />
    </Group>
  )
}
