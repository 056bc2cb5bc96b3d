import { MultiSelect } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Choice } from '../../filters/choice.tsx'
import { FoldedFilters } from '../../filters/folded-filters.tsx'
import { FreeRangeField } from '../../filters/free-range-field.tsx'
import type { LedgerView } from './credit-search.ts'
import { kindNames, kinds } from './movements.ts'

interface LedgerFiltersProps {
  view: LedgerView
  keys: Schemas['Key'][]
  onChange: (view: LedgerView) => void
}

/** Filters of the ledger; movements must match all of them. */
export function LedgerFilters({ view, keys, onChange }: LedgerFiltersProps) {
  const { kind = [], key, from, to } = view
  const count = [kind.length > 0, key !== undefined, from !== undefined].filter(Boolean).length
  return (
    <FoldedFilters count={count} onClear={() => onChange({})}>
      <MultiSelect
        aria-label="Kinds"
        placeholder={kind.length === 0 ? 'All kinds' : ''}
        clearable
        flex="2 1 220px"
        maw={420}
        data={kinds.map((value) => ({ value, label: kindNames[value] }))}
        value={kind}
        onChange={(chosen) => onChange({ ...view, kind: kinds.filter((one) => chosen.includes(one)) })}
      />
      <Choice
        label="Key"
        value={key}
        offers={keys.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(chosen) => onChange({ ...view, key: chosen })}
      />
      <FreeRangeField
        shown={from !== undefined && to !== undefined ? [from, to] : [null, null]}
        onChange={(range) => onChange({ ...view, from: range.from, to: range.to })}
      />
    </FoldedFilters>
  )
}
