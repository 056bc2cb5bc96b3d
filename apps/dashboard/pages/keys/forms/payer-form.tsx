import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { drawersOf, namesOf } from '../../../api/payers.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { exactUsd, parseUsd } from '../../../format/money.ts'
import { toPayerId, ownCredit, PayerField } from './payer-field.tsx'

interface PayerFormProps {
  changed: Schemas['Key']
  keys: Schemas['Key'][]
  onDone: () => void
}

/** Changes whose credit a key uses. */
export function PayerForm({ changed, keys, onDone }: PayerFormProps) {
  const [payer, setPayer] = useState(changed.draws_on ?? ownCredit)
  const change = useChange('keys', onDone, () => {
    const params = { path: { key_id: changed.id } }
    const body = { draws_on: toPayerId(payer) }
    return api.PATCH('/api/v1/me/keys/{key_id}', { params, body })
  })
  const drawers = drawersOf(changed, keys)
  if (drawers.length > 0)
    return (
      <Text size="sm">
        Other keys use the credit of <strong>{changed.name}</strong>: {namesOf(drawers)}, so it must keep its
        own credit until they use another key.
      </Text>
    )
  return (
    <ChangeForm
      change={change}
      submit="Save"
      isComplete={payer !== (changed.draws_on ?? ownCredit)}
      fieldNames={['draws_on']}
      onCancel={onDone}
    >
      <PayerField payer={payer} onChange={setPayer} keys={keys} of={changed} />
      <List size="sm" spacing="xs">
        <List.Item>{whatMoves(changed, keys, payer)}</List.Item>
        <List.Item>Its spend limit, models and usage stay separate.</List.Item>
      </List>
    </ChangeForm>
  )
}

function whatMoves(changed: Schemas['Key'], keys: readonly Schemas['Key'][], payer: string) {
  const name = keys.find(({ id }) => id === payer)?.name
  const pico = parseUsd(changed.balance_usd)
  if (payer === ownCredit || pico === 0n) return 'Requests in progress are not affected.'
  return (
    <>
      {pico > 0n
        ? `Its credit of ${exactUsd(pico)} goes to `
        : `Its negative balance of ${exactUsd(-pico)} goes to `}
      <strong>{name}</strong>. Requests in progress are not affected.
    </>
  )
}
