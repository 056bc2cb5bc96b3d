import { Autocomplete, Group } from '@mantine/core'
import { SearchField } from '../../../components/forms/search-field.tsx'
import { PlainChoice } from '../../../filters/plain-choice.tsx'
import { commonActions } from './actions.ts'
import type { AuditView } from '../operator-search.ts'

interface AuditFiltersProps {
  view: AuditView
  onChange: (changed: AuditView) => void
}

/** Filters by actor, action and result. */
export function AuditFilters({ view: { actor, who, did, result }, onChange }: AuditFiltersProps) {
  return (
    <Group gap="sm">
      <SearchField
        label="Who acted"
        placeholder="Who: address, account or subject"
        value={who}
        onSearch={(text) => onChange({ who: text })}
      />
      <PlainChoice
        label="Acting as"
        any="Users and operators"
        width={190}
        offers={[
          { value: 'operator', label: 'Operators' },
          { value: 'user', label: 'Users' },
        ]}
        value={actor}
        onChange={(value) => onChange({ actor: value })}
      />
      <Autocomplete
        key={did}
        aria-label="Action taken"
        placeholder="Action, such as createKey"
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
      <PlainChoice
        label="Result"
        any="All results"
        width={190}
        offers={[
          { value: 'done', label: 'Done' },
          { value: 'refused', label: 'Refused' },
        ]}
        value={result}
        onChange={(value) => onChange({ result: value })}
      />
    </Group>
  )
}
