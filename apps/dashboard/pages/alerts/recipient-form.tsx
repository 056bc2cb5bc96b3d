import { MultiSelect, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { useFieldError } from '../../components/field-error.tsx'
import { TextField } from '../../components/text-field.tsx'
import type { EventTarget } from './alert-queries.ts'
import { typeName, typeNames, type WantedType } from './event-types.ts'

interface RecipientFormProps {
  /** Absent: a new one is made. */
  changed?: EventTarget
  onMade: (made: Schemas['CreatedEventTarget']) => void
  onDone: () => void
}

/** An address or a webhook, and what it is told of. */
export function RecipientForm({ changed, onMade, onDone }: RecipientFormProps) {
  const [kind, setKind] = useState<EventTarget['kind']>(changed?.kind ?? 'mail')
  const [name, setName] = useState(changed?.name ?? '')
  const [where, setWhere] = useState(changed?.url ?? changed?.email ?? '')
  const [types, setTypes] = useState(() => wantedOf(changed))
  const { idempotencyKey, change } = useIdempotencyKey()
  const isMail = kind === 'mail'
  const place = where.trim()
  const named = name.trim() !== '' && { name: name.trim() }
  const wanted: WantedType[] = types.length === 0 ? ['*'] : types
  const creation = useChange(
    'alerts',
    () => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } }
      const body = { kind, ...named, ...(isMail ? { email: place } : { url: place }), types: wanted }
      return bodyOf(api.POST('/api/v1/event-targets', { params, body }))
    },
    onMade,
  )
  const changing = useChange(
    'alerts',
    () => {
      const params = { path: { target_id: changed?.id ?? '' } }
      const body = { ...named, ...(!isMail && { url: place }), types: wanted }
      return bodyOf(api.PATCH('/api/v1/event-targets/{target_id}', { params, body }))
    },
    onDone,
  )
  return (
    <ChangeForm
      change={changed === undefined ? creation : changing}
      submit={changed === undefined ? 'Add' : 'Save'}
      isComplete={place !== ''}
      fieldNames={['name', 'url', 'email', 'types', 'kind']}
      onCancel={onDone}
    >
      {changed === undefined && (
        <SegmentedControl
          aria-label="What kind of recipient"
          value={kind}
          data={[
            { value: 'mail', label: 'Mail' },
            { value: 'webhook', label: 'Webhook' },
          ]}
          onChange={(value) => change(() => setKind(value))}
        />
      )}
      <PlaceField
        isMail={isMail}
        isFixed={isMail && changed !== undefined}
        value={where}
        onChange={(value) => change(() => setWhere(value))}
      />
      <TextField
        name="name"
        label="Name (optional)"
        description="As you call it."
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => change(() => setName(value))}
      />
      <TypesField types={types} onChange={(value) => change(() => setTypes(value))} />
    </ChangeForm>
  )
}

function wantedOf(target: EventTarget | undefined): WantedType[] {
  if (target === undefined || target.types.includes('*')) return []
  return target.types as WantedType[]
}

interface PlaceFieldProps {
  isMail: boolean
  /** An address is asked whether it wants to be told: for another one there is another recipient. */
  isFixed: boolean
  value: string
  onChange: (value: string) => void
}

function PlaceField({ isMail, isFixed, value, onChange }: PlaceFieldProps) {
  const kindProblem = useFieldError('kind').error
  return isMail ? (
    <TextField
      name="email"
      label="Address"
      type="email"
      description="Another one than your own, verified one is asked first whether it wants to be told."
      placeholder="billing@example.com"
      {...(kindProblem !== undefined && { error: kindProblem })}
      disabled={isFixed}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextField
      name="url"
      label="URL"
      description="It must answer over https, in the public internet, unless the operator allows others."
      placeholder="https://example.com/hooks/turnpike"
      inputMode="url"
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface TypesFieldProps {
  types: WantedType[]
  onChange: (types: WantedType[]) => void
}

function TypesField({ types, onChange }: TypesFieldProps) {
  const { error } = useFieldError('types')
  const offered = [...new Set([...Object.keys(typeNames), ...types])]
  return (
    <MultiSelect
      label="Is told of"
      error={error}
      placeholder={types.length === 0 ? 'everything' : ''}
      searchable
      clearable
      data={offered.map((value) => ({ value, label: typeName(value) }))}
      value={types}
      onChange={(chosen) => onChange(chosen as WantedType[])}
    />
  )
}
