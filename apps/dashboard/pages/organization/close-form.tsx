import { List } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { actFor } from '../../api/acting.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { exactUsd, sumUsd } from '../../format/money.ts'
import { ConfirmField } from '../../components/forms/confirm-field.tsx'

interface CloseFormProps {
  account: Schemas['Me']
  onCancel: () => void
}

/** Explains the consequences first, then requires the organization's name. */
export function CloseForm({ account, onCancel }: CloseFormProps) {
  const [typed, setTyped] = useState('')
  const name = account.display_name ?? account.id
  const left = sumUsd([account.balance_usd, account.unassigned_usd])
  const closing = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/organization/close', { body: { confirm: typed.trim() } })),
    onSuccess: () => actFor(undefined),
  })
  return (
    <ChangeForm
      change={{ error: closing.error, isPending: closing.isPending, mutate: () => closing.mutate() }}
      submit="Close permanently"
      isComplete={typed.trim() === name.trim()}
      isFinal
      fieldNames={['confirm']}
      onCancel={onCancel}
    >
      <List size="sm" spacing="xs">
        <List.Item>All of its keys are revoked, and all members lose access.</List.Item>
        {left > 0n && (
          <List.Item>
            {exactUsd(left)} of credit stays on record. It is not refunded automatically. Before you close,
            ask the operator for a refund and name <code>{account.id}</code>.
          </List.Item>
        )}
        {left < 0n && (
          <List.Item>It has a negative balance of {exactUsd(-left)}, which stays on record.</List.Item>
        )}
        <List.Item>Its ledger and receipts are kept.</List.Item>
      </List>
      <ConfirmField text={name} typed={typed} onChange={setTyped} />
    </ChangeForm>
  )
}
