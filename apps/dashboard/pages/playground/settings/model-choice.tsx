import { Button, CloseButton, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { answering, firstModel } from '../../../api/first-model.ts'
import type { Schemas } from '../../../api/client.ts'
import { modelsQuery } from '../../../api/queries.ts'
import { IconPlus } from '../../../icons/icons.ts'

const route = getRouteApi('/playground')
const shownAtMost = 100

/** A chosen model; `model` is its catalog entry, if any. */
export interface ChosenModel {
  id: string
  model: Schemas['Model'] | undefined
}

/**
 * The models in the address; by default one that works without a vendor key. Empty until the catalog is
 * loaded.
 */
export function useChosenModels(): ChosenModel[] {
  const { model, with: second } = route.useSearch()
  const { data } = useQuery(modelsQuery)
  const first = model ?? (data === undefined ? undefined : firstModel(data.data))
  return [first, second]
    .filter((id) => id !== undefined)
    .map((id) => ({ id, model: data?.data.find((one) => one.id === id) }))
}

/** Chooses one model, or two that get the same questions and answer next to each other. */
export function ModelChoice() {
  const [first, second] = useChosenModels()
  const navigate = route.useNavigate()
  const { data } = useQuery(modelsQuery)
  const ids = answering(data?.data ?? [])
    .map(({ id }) => id)
    .toSorted()
  const choose = (search: { model?: string; with?: string }) =>
    void navigate({ search, replace: true, resetScroll: false })
  const other = ids.find((id) => id !== first?.id && id.split('/')[0] === first?.id.split('/')[0])
  const model = first && { model: first.id }
  return (
    <>
      <OneModel
        label="Model"
        ids={ids}
        value={first?.id}
        onChange={(id) => choose({ model: id, ...(second && { with: second.id }) })}
      />
      {second === undefined ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={ids.length === 0}
          onClick={() => choose({ ...model, with: other ?? ids[0]! })}
        >
          Compare with a second model
        </Button>
      ) : (
        <Group gap={4} align="flex-end" wrap="nowrap">
          <OneModel
            label="Second model"
            ids={ids}
            value={second.id}
            onChange={(id) => choose({ ...model, with: id })}
          />
          <CloseButton size={36} aria-label="Remove the second model" onClick={() => choose({ ...model })} />
        </Group>
      )}
    </>
  )
}

interface OneModelProps {
  label: string
  ids: readonly string[]
  value: string | undefined
  onChange: (id: string) => void
}

function OneModel({ label, ids, value, onChange }: OneModelProps) {
  const others = value === undefined || ids.includes(value) ? [] : [value]
  return (
    <Select
      label={label}
      searchable
      allowDeselect={false}
      limit={shownAtMost}
      flex={1}
      nothingFoundMessage="No such model"
      data={[...others, ...ids]}
      value={value ?? null}
      onChange={(id) => id !== null && onChange(id)}
    />
  )
}
