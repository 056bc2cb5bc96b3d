import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { FormProblems, isAtField, useFieldError } from '../../../components/forms/field-error.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { countryName } from './address-lines.ts'

type Address = Schemas['BillingAddress']
type Field = Exclude<keyof Address, 'country'>

const fields: { name: Field; label: string; autoComplete: string; isNeeded?: true; isWide?: true }[] = [
  { name: 'name', label: 'Company or name', autoComplete: 'organization', isNeeded: true, isWide: true },
  { name: 'line1', label: 'Street and number', autoComplete: 'address-line1', isNeeded: true },
  { name: 'line2', label: 'Address, second line', autoComplete: 'address-line2' },
  { name: 'postal_code', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'City', autoComplete: 'address-level2', isNeeded: true },
  { name: 'region', label: 'State or region', autoComplete: 'address-level1' },
]
const names = [...fields.map(({ name }) => name), 'country', 'vat_id'] as const

interface BillingFormProps {
  address: Address | null
  /** Country codes. */
  countries: readonly string[]
}

export function BillingForm({ address, countries }: BillingFormProps) {
  const [typed, setTyped] = useState(() => textsOf(address))
  const set = (name: string) => (value: string) => setTyped((before) => ({ ...before, [name]: value }))
  const saving = useChange('billing', undefined, () =>
    api.PUT('/api/v1/me/billing', { body: bodyFrom(typed) }),
  )
  const removing = useChange('billing', undefined, () => api.DELETE('/api/v1/me/billing'))
  const error = saving.error ?? removing.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack gap="md">
        <FormProblems error={saving.error}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {fields.map(({ name, label, autoComplete, isNeeded, isWide }) => (
              <TextField
                key={name}
                name={name}
                label={label}
                autoComplete={autoComplete}
                {...(isNeeded && { required: true })}
                {...(isWide && { style: { gridColumn: '1 / -1' } })}
                value={typed[name] ?? ''}
                onChange={set(name)}
              />
            ))}
            <Country countries={countries} value={typed['country'] ?? ''} onChange={set('country')} />
            <TextField
              name="vat_id"
              label="VAT ID"
              description="Or another tax number. Only its format is checked."
              placeholder="DE123456789"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={typed['vat_id'] ?? ''}
              onChange={set('vat_id')}
            />
          </SimpleGrid>
        </FormProblems>
        {error !== null && !isAtField(error, names) && <FailureNote error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={saving.isPending} disabled={!isComplete(typed)}>
            Save
          </Button>
          {address !== null && (
            <Button
              variant="default"
              loading={removing.isPending}
              onClick={() => removing.mutate(undefined, { onSuccess: () => setTyped(textsOf(null)) })}
            >
              Remove
            </Button>
          )}
          <Text size="sm" c="dimmed" role="status">
            {saving.isSuccess && address !== null && 'Saved.'}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

interface CountryProps {
  countries: readonly string[]
  value: string
  onChange: (value: string) => void
}

function Country({ countries, value, onChange }: CountryProps) {
  // Sorted by name, as people look for it.
  const offers = useMemo(
    () =>
      countries
        .map((code) => ({ value: code, label: countryName(code) }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    [countries],
  )
  return (
    <Select
      {...useFieldError('country')}
      label="Country"
      required
      searchable
      autoComplete="country"
      nothingFoundMessage="No matching country"
      data={offers}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

function isComplete(typed: Record<string, string>): boolean {
  return ['name', 'line1', 'city', 'country'].every((name) => typed[name]?.trim() !== '')
}

function textsOf(address: Address | null): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, address?.[name] ?? '']))
}

function bodyFrom(typed: Record<string, string>) {
  const text = (name: string): string => typed[name]?.trim() ?? ''
  const orNull = (name: string): string | null => (text(name) === '' ? null : text(name))
  return {
    name: text('name'),
    line1: text('line1'),
    line2: orNull('line2'),
    postal_code: orNull('postal_code'),
    city: text('city'),
    region: orNull('region'),
    country: text('country'),
    vat_id: orNull('vat_id'),
  }
}
