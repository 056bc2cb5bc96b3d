import { Autocomplete, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from '../../api/acting.ts'
import type { BudgetScope } from '../../api/budgets.ts'
import {
  customerKeysQuery,
  customerMembersQuery,
  customerProjectsQuery,
  type Customer,
} from '../../api/customer-queries.ts'
import { keysQuery, modelsQuery } from '../../api/queries.ts'
import { membersQuery, projectsQuery } from '../../api/team-queries.ts'
import { memberName } from '../../api/team.ts'
import { useFieldError } from '../../components/forms/field-error.tsx'
import { useFound } from '../../filters/use-found.ts'
import type { BudgetValues } from './budget-values.ts'

const scopeNames: Record<BudgetScope, string> = {
  organization: 'The whole account',
  project: 'A project',
  member: 'A member',
  key: 'A key',
  tag: 'A tag',
  model: 'A model',
}
const mostOffers = 100
/** Tags used within this many days are offered. */
const offeredDays = 30

interface SubjectFieldsProps {
  values: BudgetValues
  /** The account, if an operator manages it. */
  customer: Customer | undefined
  onChange: (values: BudgetValues) => void
}

/** What a budget applies to. */
export function SubjectFields({ values, customer, onChange }: SubjectFieldsProps) {
  const hasMembers =
    customer === undefined ? currentOrganization() !== undefined : customer.kind === 'organization'
  const scopes = (Object.keys(scopeNames) as BudgetScope[]).filter(
    (scope) => scope !== 'member' || hasMembers,
  )
  const set = (subject: string): void => onChange({ ...values, subject })
  return (
    <>
      <Select
        {...useFieldError('scope')}
        label="On"
        allowDeselect={false}
        data={scopes.map((value) => ({ value, label: scopeNames[value] }))}
        value={values.scope}
        onChange={(scope) => scope !== null && onChange({ ...values, scope, subject: '' })}
      />
      {values.scope === 'tag' && <TagField value={values.subject} customer={customer} onChange={set} />}
      {values.scope !== 'tag' && values.scope !== 'organization' && (
        <SubjectField scope={values.scope} value={values.subject} customer={customer} onChange={set} />
      )}
    </>
  )
}

interface SubjectFieldProps {
  value: string
  customer: Customer | undefined
  onChange: (value: string) => void
}

function TagField({ value, customer, onChange }: SubjectFieldProps) {
  const found = useFound('tag', { days: offeredDays }, customer === undefined)
  return (
    <Autocomplete
      {...useFieldError('subject')}
      label="Tag"
      description="As sent with requests."
      placeholder="team:search"
      maxLength={256}
      limit={mostOffers}
      data={found ?? []}
      value={value}
      onChange={onChange}
    />
  )
}

type Listed = Exclude<BudgetScope, 'organization' | 'tag'>

function SubjectField({ scope, value, customer, onChange }: SubjectFieldProps & { scope: Listed }) {
  const offers = useOffers(scope, customer?.id)
  return (
    <Select
      {...useFieldError('subject')}
      label={scopeNames[scope].slice('A '.length).replace(/^./, (first) => first.toUpperCase())}
      placeholder={offers === undefined ? 'Looking…' : 'Choose one'}
      nothingFoundMessage="None available"
      searchable
      limit={mostOffers}
      data={offers ?? []}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

interface Offer {
  value: string
  label: string
}

/** @param customerId undefined: the account that the tab acts for */
function useOffers(scope: Listed, customerId: string | undefined): Offer[] | undefined {
  const enabledFor = (one: Listed) => ({ enabled: scope === one })
  const isOwn = customerId === undefined
  const members = useQuery({
    ...(isOwn ? membersQuery : customerMembersQuery(customerId)),
    ...enabledFor('member'),
  })
  const projects = useQuery({
    ...(isOwn ? projectsQuery : customerProjectsQuery(customerId)),
    ...enabledFor('project'),
  })
  const ownKeys = useQuery({ ...keysQuery, enabled: scope === 'key' && isOwn })
  const customerKeys = useQuery({
    ...customerKeysQuery(customerId ?? ''),
    enabled: scope === 'key' && !isOwn,
  })
  const keys = isOwn ? ownKeys : customerKeys
  const models = useQuery({ ...modelsQuery, ...enabledFor('model') })
  switch (scope) {
    case 'member':
      return members.data?.data
        .filter(({ status }) => status === 'active')
        .map((one) => ({ value: one.id, label: memberName(one) }))
    case 'project':
      return projects.data?.data
        .filter(({ archived_at: at }) => at === null)
        .map(({ id, name }) => ({ value: id, label: name }))
    case 'key':
      return keys.data?.data
        .filter(({ status, replaced_by: by }) => status === 'active' && by === null)
        .map(({ id, name, key_prefix: prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))
    case 'model':
      return models.data?.data.map(({ id }) => ({ value: id, label: id }))
  }
}
