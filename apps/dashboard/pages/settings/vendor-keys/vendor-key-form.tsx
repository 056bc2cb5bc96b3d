import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { FallbackField, NameField, SecretField } from './fields.tsx'
import { vendorKeyProvidersQuery } from './vendor-key-queries.ts'

/** Adds a key: its vendor, its secret, and what happens if it fails. */
export function VendorKeyForm({ onDone }: { onDone: () => void }) {
  const [provider, setProvider] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const [allowsShared, setAllowsShared] = useState(true)
  const { idempotencyKey, change } = useIdempotencyKey()
  const named = name.trim()
  const adding = useChange('vendorKeys', onDone, () =>
    api.POST('/api/v1/vendor-keys', {
      params: { header: { 'Idempotency-Key': idempotencyKey } },
      body: {
        provider: provider ?? '',
        secret: secret.trim(),
        allow_fallback_to_shared: allowsShared,
        ...(named !== '' && { name: named }),
      },
    }),
  )
  return (
    <ChangeForm
      change={adding}
      submit="Add the key"
      isComplete={provider !== null && secret.trim() !== ''}
      fieldNames={['provider', 'name', 'secret']}
      onCancel={onDone}
    >
      <ProviderField value={provider} onChange={(value) => change(() => setProvider(value))} />
      <SecretField value={secret} onChange={(value) => change(() => setSecret(value))} />
      <NameField value={name} onChange={(value) => change(() => setName(value))} />
      <FallbackField value={allowsShared} onChange={(value) => change(() => setAllowsShared(value))} />
    </ChangeForm>
  )
}

interface ProviderFieldProps {
  value: string | null
  onChange: (value: string | null) => void
}

function ProviderField({ value, onChange }: ProviderFieldProps) {
  const { data } = useQuery(vendorKeyProvidersQuery)
  return (
    <Select
      {...useFieldError('provider')}
      label="Vendor"
      placeholder="Choose one"
      searchable
      data={(data?.data ?? []).map((one) => ({ value: one.name, label: one.title }))}
      value={value}
      onChange={onChange}
    />
  )
}
