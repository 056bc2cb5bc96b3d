import { Select } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { payersAmong } from '../../../api/payers.ts'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { shortUsd } from '../../../format/money.ts'

/** The value for a key that uses its own credit. */
export const ownCredit = 'own'

/** The value for the API. */
export function toPayerId(payer: string): string | null {
  return payer === ownCredit ? null : payer
}

interface PayerFieldProps {
  /** The ID of the key that pays, or `ownCredit`. */
  payer: string
  onChange: (payer: string) => void
  keys: readonly Schemas['Key'][]
  /** The key in question; absent: a new one. */
  of?: Schemas['Key']
}

/** Whose credit a key uses: the account's, meaning that of its default key, another key's, or its own. */
export function PayerField({ payer, onChange, keys, of }: PayerFieldProps) {
  const problem = useFieldError('draws_on')
  const payers = payersAmong(keys).filter(({ id }) => id !== of?.id)
  const isNew = of === undefined
  return (
    <Select
      {...problem}
      label="Credit"
      description={payer === ownCredit ? ownWords(of) : undefined}
      allowDeselect={false}
      data={[
        ...payers.map(({ id, name, balance_usd: balance }, index) => ({
          value: id,
          label:
            index === 0 && isNew
              ? `The account’s: ${shortUsd(balance)} on ${name}`
              : `Credit of ${name}: ${shortUsd(balance)}`,
        })),
        {
          value: ownCredit,
          label: of?.draws_on === null ? `Its own: ${shortUsd(of.balance_usd)}` : 'Its own',
        },
      ]}
      value={payer}
      onChange={(value) => value !== null && onChange(value)}
    />
  )
}

function ownWords(of: Schemas['Key'] | undefined): string | undefined {
  if (of?.draws_on === null) return undefined
  return 'It starts without credit. Requests are refused until you move or add credit.'
}
