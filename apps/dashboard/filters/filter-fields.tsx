import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentOrganization } from '../api/acting.ts'
import { useKeyNames } from '../api/key-names.ts'
import { membersQuery, projectsQuery } from '../api/team-queries.ts'
import { memberName } from '../api/team.ts'
import { Choice, type ChoiceProps } from './choice.tsx'
import { FoldedFilters } from './folded-filters.tsx'
import { endpointNames, endpoints, operationNames, operations } from './endpoints.ts'
import { outcomeNames, outcomes } from './outcomes.ts'
import { countOf, type UsageFilters } from './usage-filters.ts'
import { TagsField } from './tags-field.tsx'
import { useFound } from './use-found.ts'

interface FilterFieldsProps {
  filters: UsageFilters
  onChange: (filters: UsageFilters) => void
  /** Only the filters that health data has, which counts one tag at a time. */
  isOfHealth?: boolean
}

/** Filters of requests; requests must match all of them. */
export function FilterFields({ filters, onChange, isOfHealth = false }: FilterFieldsProps) {
  const { days, from, to, key, member, project, model, provider } = filters

  const keyNames = useKeyNames()
  const set = (name: Field) => (value: string | undefined) => onChange({ ...filters, [name]: value })
  const count = countOf(filters)
  return (
    <FoldedFilters count={count} onClear={() => onChange({ days, from, to })}>
      <TagsField filters={filters} onChange={onChange} isOfHealth={isOfHealth} />
      <Choice
        label="Key"
        value={key}
        onChange={set('key')}
        offers={[...keyNames].map(([value, label]) => ({ value, label }))}
      />
      {currentOrganization() !== undefined && <MemberChoice value={member} onChange={set('member')} />}
      <ProjectChoice value={project} onChange={set('project')} />
      <FoundChoice label="Model" by="model" filters={filters} value={model} onChange={set('model')} />
      <FoundChoice
        label="Provider"
        by="provider"
        filters={filters}
        value={provider}
        onChange={set('provider')}
      />
      {!isOfHealth && <FurtherFields filters={filters} set={set} />}
    </FoldedFilters>
  )
}

type TeamChoiceProps = Pick<ChoiceProps, 'value' | 'onChange'>

function MemberChoice({ value, onChange }: TeamChoiceProps) {
  const [isOpened, setOpened] = useState(false)
  const { data } = useQuery({ ...membersQuery, enabled: isOpened || value !== undefined })
  return (
    <Choice
      label="Member"
      value={value}
      onChange={onChange}
      offers={data?.data.map((one) => ({ value: one.id, label: memberName(one) }))}
      onOpen={() => setOpened(true)}
    />
  )
}

function ProjectChoice({ value, onChange }: TeamChoiceProps) {
  const [isOpened, setOpened] = useState(false)
  const { data } = useQuery({ ...projectsQuery, enabled: isOpened || value !== undefined })
  return (
    <Choice
      label="Project"
      value={value}
      onChange={onChange}
      offers={data?.data.map(({ id, name }) => ({ value: id, label: name }))}
      onOpen={() => setOpened(true)}
    />
  )
}

interface FurtherFieldsProps {
  filters: UsageFilters
  set: (name: Field) => (value: string | undefined) => void
}

function FurtherFields({ filters, set }: FurtherFieldsProps) {
  const { tier, endpoint, operation, outcome } = filters
  return (
    <>
      <FoundChoice label="Tier" by="tier" filters={filters} value={tier} onChange={set('tier')} />
      <Choice
        label="Endpoint"
        value={endpoint}
        onChange={set('endpoint')}
        offers={endpoints.map((value) => ({ value, label: endpointNames[value] }))}
      />
      {/* There is only one operation today, so it is only shown if the view is filtered by it. */}
      {operation !== undefined && (
        <Choice
          label="Operation"
          value={operation}
          onChange={set('operation')}
          offers={operations.map((value) => ({ value, label: operationNames[value] }))}
        />
      )}
      <Choice
        label="Outcome"
        value={outcome}
        onChange={set('outcome')}
        offers={outcomes.map((value) => ({ value, label: outcomeNames[value] }))}
      />
    </>
  )
}

type Field =
  | 'key'
  | 'member'
  | 'project'
  | 'model'
  | 'provider'
  | 'tier'
  | 'endpoint'
  | 'operation'
  | 'outcome'

interface FoundChoiceProps extends Omit<ChoiceProps, 'offers' | 'onOpen'> {
  by: 'model' | 'provider' | 'tier'
  filters: UsageFilters
}

/** Offers the values that occur in the range. */
function FoundChoice({ by, filters, ...choice }: FoundChoiceProps) {
  const [isOpened, setOpened] = useState(false)
  const found = useFound(by, filters, isOpened)
  return (
    <Choice
      {...choice}
      offers={found?.map((value) => ({ value, label: value }))}
      onOpen={() => setOpened(true)}
    />
  )
}
