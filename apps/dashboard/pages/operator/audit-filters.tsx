import { Autocomplete, Group, Select } from '@mantine/core'
import { SearchField } from '../../components/search-field.tsx'
import { commonActions } from './actions.ts'
import type { AuditView } from './operator-search.ts'

interface AuditFiltersProps {
  view: AuditView
  onChange: (changed: AuditView) => void
}

/** By whom, what, and what became of it. */
export function AuditFilters({ view: { actor, who, did, result }, onChange }: AuditFiltersProps) {
  return (
    <Group gap="sm">
      <SearchField
        label="Who acted"
        placeholder="Who: address, account or subject"
        value={who}
        onSearch={(text) => onChange({ who: text })}
      />
      <Select
        aria-label="As what"
        placeholder="Users and operators"
        clearable
        w={190}
        data={[
          { value: 'operator', label: 'Operators' },
          { value: 'user', label: 'Users' },
        ]}
        value={actor ?? null}
        onChange={(value) => onChange({ actor: value ?? undefined })}
      />
      <Autocomplete
        key={did}
        aria-label="What was done"
        placeholder="What: createKey"
        clearable
        w={200}
        maxLength={64}
        data={commonActions}
        defaultValue={did ?? ''}
        onOptionSubmit={(value) => onChange({ did: value })}
        onClear={() => onChange({ did: undefined })}
        onBlur={({ currentTarget: { value } }) =>
          value.trim() !== (did ?? '') && onChange({ did: value.trim() || undefined })
        }
        onKeyDown={({ key, currentTarget: { value } }) =>
          key === 'Enter' && onChange({ did: value.trim() || undefined })
        }
      />
      <Select
        aria-label="What became of it"
        placeholder="Done and refused"
        clearable
        w={190}
        data={[
          { value: 'done', label: 'Done' },
          { value: 'refused', label: 'Refused' },
        ]}
        value={result ?? null}
        onChange={(value) => onChange({ result: value ?? undefined })}
      />
    </Group>
  )
}
