import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { FallbackField, NameField, SecretField } from './fields.tsx'
import type { VendorKey } from './vendor-key-queries.ts'

interface FormProps {
  vendorKey: VendorKey
  onDone: () => void
}

const pathOf = ({ id }: VendorKey) => ({ path: { vendor_key_id: id } })

/** Changes the name of a vendor key, whether it is used, and what happens if it fails. */
export function RulesForm({ vendorKey, onDone }: FormProps) {
  const [name, setName] = useState(vendorKey.name)
  const [isUsed, setIsUsed] = useState(vendorKey.status === 'active')
  const [allowsShared, setAllowsShared] = useState(vendorKey.allow_fallback_to_shared)
  const change = useChange('vendorKeys', onDone, () =>
    api.PATCH('/api/v1/vendor-keys/{vendor_key_id}', {
      params: pathOf(vendorKey),
      body: {
        name: name.trim(),
        status: isUsed ? 'active' : 'disabled',
        allow_fallback_to_shared: allowsShared,
      },
    }),
  )
  return (
    <ChangeForm
      change={change}
      submit="Save"
      isComplete={name.trim() !== ''}
      fieldNames={['name']}
      onCancel={onDone}
    >
      <NameField value={name} onChange={setName} />
      <Switch
        label="Use this key"
        description="If off, requests use the gateway’s own keys and your credit."
        checked={isUsed}
        onChange={(event) => setIsUsed(event.currentTarget.checked)}
      />
      <FallbackField value={allowsShared} onChange={setAllowsShared} />
    </ChangeForm>
  )
}

export function ReplaceForm({ vendorKey, onDone }: FormProps) {
  const [secret, setSecret] = useState('')
  const { idempotencyKey, change: changed } = useIdempotencyKey()
  const change = useChange('vendorKeys', onDone, () =>
    api.POST('/api/v1/vendor-keys/{vendor_key_id}/replace', {
      params: { ...pathOf(vendorKey), header: { 'Idempotency-Key': idempotencyKey } },
      body: { secret: secret.trim() },
    }),
  )
  return (
    <ChangeForm
      change={change}
      submit="Replace key"
      isComplete={secret.trim() !== ''}
      fieldNames={['secret']}
      onCancel={onDone}
    >
      <Text size="sm">
        Replaces <strong>…{vendorKey.last4}</strong>, which is deleted at once. Revoke the old key at the
        vendor.
      </Text>
      <SecretField value={secret} onChange={(value) => changed(() => setSecret(value))} />
    </ChangeForm>
  )
}

export function DeleteVendorKeyForm({ vendorKey, onDone }: FormProps) {
  const change = useChange('vendorKeys', onDone, () =>
    api.DELETE('/api/v1/vendor-keys/{vendor_key_id}', { params: pathOf(vendorKey) }),
  )
  return (
    <ChangeForm change={change} submit="Remove" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{vendorKey.name}</strong> (…{vendorKey.last4}) will no longer be used, and its secret is
        deleted. It stays valid at the vendor, so revoke it there too.
      </Text>
    </ChangeForm>
  )
}
