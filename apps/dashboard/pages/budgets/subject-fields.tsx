import { Autocomplete, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { actedOrganization } from '../../api/acting.ts'
import type { BudgetScope } from '../../api/budgets.ts'
import { keysQuery, modelsQuery } from '../../api/queries.ts'
import { memberName, useMembers, useProjects } from '../../api/team.ts'
import { useFieldError } from '../../components/field-error.tsx'
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
/** Tags that were used lately are offered. */
const offeredDays = 30

interface SubjectFieldsProps {
  values: BudgetValues
  onChange: (values: BudgetValues) => void
}

/** What a budget is on. */
export function SubjectFields({ values, onChange }: SubjectFieldsProps) {
  const scopes = (Object.keys(scopeNames) as BudgetScope[]).filter(
    (scope) => scope !== 'member' || actedOrganization() !== undefined,
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
      {values.scope === 'tag' && <TagField value={values.subject} onChange={set} />}
      {values.scope !== 'tag' && values.scope !== 'organization' && (
        <SubjectField scope={values.scope} value={values.subject} onChange={set} />
      )}
    </>
  )
}

interface SubjectFieldProps {
  value: string
  onChange: (value: string) => void
}

function TagField({ value, onChange }: SubjectFieldProps) {
  const found = useFound('tag', { days: offeredDays }, true)
  return (
    <Autocomplete
      {...useFieldError('subject')}
      label="Tag"
      description="As requests send it."
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

function SubjectField({ scope, value, onChange }: SubjectFieldProps & { scope: Listed }) {
  const offers = useOffers(scope)
  return (
    <Select
      {...useFieldError('subject')}
      label={scopeNames[scope].slice('A '.length).replace(/^./, (first) => first.toUpperCase())}
      placeholder={offers === undefined ? 'Looking…' : 'Choose one'}
      nothingFoundMessage="There is none"
      searchable
      limit={mostOffers}
      data={offers ?? []}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

function useOffers(scope: Listed): { value: string; label: string }[] | undefined {
  const members = useMembers(scope === 'member')
  const projects = useProjects(scope === 'project')
  const { data: keys } = useQuery({ ...keysQuery, enabled: scope === 'key' })
  const { data: models } = useQuery({ ...modelsQuery, enabled: scope === 'model' })
  if (scope === 'member')
    return members
      .filter(({ status }) => status === 'active')
      .map((one) => ({ value: one.id, label: memberName(one) }))
  if (scope === 'project')
    return projects
      .filter(({ archived_at: at }) => at === null)
      .map(({ id, name }) => ({ value: id, label: name }))
  if (scope === 'key')
    return keys?.data
      .filter(({ status, replaced_by: by }) => status === 'active' && by === null)
      .map(({ id, name, key_prefix: prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))
  return models?.data.map(({ id }) => ({ value: id, label: id }))
}
