import { Checkbox, Group, MultiSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { accountQuery } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { useFieldError } from '../../components/forms/field-error.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import type { EventTarget } from './alert-queries.ts'
import { typeName, typeNames, type WantedType } from './event-types.ts'

interface RecipientFormProps {
  /** Absent: a new one is created. */
  changed?: EventTarget
  onMade: (made: Schemas['CreatedEventTarget']) => void
  onDone: () => void
}

/** An email address or a webhook, and the events it is notified of. */
export function RecipientForm({ changed, onMade, onDone }: RecipientFormProps) {
  const [kind, setKind] = useState<Kind>(() => kindOf(changed))
  const [name, setName] = useState(changed?.name ?? '')
  const [where, setWhere] = useState(changed?.url ?? changed?.email ?? '')
  const [roles, setRoles] = useState<ToldRole[]>(changed?.roles ?? ['owner', 'billing'])
  const [types, setTypes] = useState(() => eventTypesOf(changed))
  const { idempotencyKey, change } = useIdempotencyKey()
  const place = where.trim()
  const named = name.trim() !== '' && { name: name.trim() }
  const chosenTypes: WantedType[] = types.length === 0 ? ['*'] : types
  const creation = useChange('alerts', onMade, () => {
    const params = { header: { 'Idempotency-Key': idempotencyKey } }
    const where = kind === 'webhook' ? { url: place } : kind === 'roles' ? { roles } : { email: place }
    const apiKind: EventTarget['kind'] = kind === 'webhook' ? 'webhook' : 'mail'
    const body = { kind: apiKind, ...named, ...where, types: chosenTypes }
    return api.POST('/api/v1/event-targets', { params, body })
  })
  const changing = useChange('alerts', onDone, () => {
    const params = { path: { target_id: changed?.id ?? '' } }
    const where = { ...(kind === 'webhook' && { url: place }), ...(kind === 'roles' && { roles }) }
    const body = { ...named, ...where, types: chosenTypes }
    return api.PATCH('/api/v1/event-targets/{target_id}', { params, body })
  })
  return (
    <ChangeForm
      change={changed === undefined ? creation : changing}
      submit={changed === undefined ? 'Add' : 'Save'}
      isComplete={kind === 'roles' ? roles.length > 0 : place !== ''}
      fieldNames={['name', 'url', 'email', 'roles', 'types', 'kind']}
      onCancel={onDone}
    >
      {changed === undefined && <KindField kind={kind} onChange={(value) => change(() => setKind(value))} />}
      {kind === 'roles' ? (
        <RolesField roles={roles} onChange={(value) => change(() => setRoles(value))} />
      ) : (
        <PlaceField
          isMail={kind === 'mail'}
          isFixed={kind === 'mail' && changed !== undefined}
          value={where}
          onChange={(value) => change(() => setWhere(value))}
        />
      )}
      <TextField
        name="name"
        label="Name (optional)"
        description="A name for your own use."
        maxLength={100}
        value={name}
        onChange={(value) => change(() => setName(value))}
      />
      <TypesField types={types} onChange={(value) => change(() => setTypes(value))} />
    </ChangeForm>
  )
}

type Kind = EventTarget['kind'] | 'roles'

/** A person's own account has no members to choose from. */
function KindField({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const { data: me } = useQuery(accountQuery)
  return (
    <SegmentedControl
      aria-label="Kind of recipient"
      value={kind}
      data={[
        { value: 'mail', label: 'Email' },
        ...(me?.kind === 'organization' ? [{ value: 'roles' as const, label: 'Email by role' }] : []),
        { value: 'webhook', label: 'Webhook' },
      ]}
      onChange={onChange}
    />
  )
}

type ToldRole = NonNullable<EventTarget['roles']>[number]

function kindOf(target: EventTarget | undefined): Kind {
  if (target === undefined) return 'mail'
  return target.roles === null ? target.kind : 'roles'
}

const toldRoles: Record<ToldRole, string> = { owner: 'Owners', admin: 'Admins', billing: 'Billing' }

interface RolesFieldProps {
  roles: ToldRole[]
  onChange: (roles: ToldRole[]) => void
}

function RolesField({ roles, onChange }: RolesFieldProps) {
  const { error } = useFieldError('roles')
  return (
    <Checkbox.Group
      label="Everyone with one of these roles"
      description="Sent to everyone who has the role and a verified address at the time of the event."
      error={error}
      value={roles}
      onChange={onChange}
    >
      <Group mt="xs">
        {Object.entries(toldRoles).map(([value, label]) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function eventTypesOf(target: EventTarget | undefined): WantedType[] {
  if (target === undefined || target.types.includes('*')) return []
  return target.types as WantedType[]
}

interface PlaceFieldProps {
  isMail: boolean
  /**
   * An existing recipient keeps its address, which was confirmed. Another address needs a new recipient.
   */
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
      description="If this is not your own verified address, it must be confirmed first."
      placeholder="billing@example.com"
      {...(kindProblem !== undefined && { error: kindProblem })}
      disabled={isFixed}
      data-autofocus
      value={value}
      onChange={onChange}
    />
  ) : (
    <TextField
      name="url"
      label="URL"
      description="It must be a public https address, unless the operator allows others."
      placeholder="https://example.com/hooks/turnpike"
      inputMode="url"
      data-autofocus
      value={value}
      onChange={onChange}
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
      label="Events"
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
