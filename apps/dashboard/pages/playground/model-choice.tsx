import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelsQuery } from '../../api/queries.ts'
import { answering, firstModel } from '../../api/first-model.ts'

const route = getRouteApi('/playground')
const shownAtMost = 100

/** The model of the address; by default one that needs nobody's key. */
export function useChosenModel(): string | undefined {
  const { model } = route.useSearch()
  const { data } = useQuery(modelsQuery)
  return model ?? (data === undefined ? undefined : firstModel(data.data))
}

export function ModelChoice() {
  const chosen = useChosenModel()
  const navigate = route.useNavigate()
  const { data } = useQuery(modelsQuery)
  const ids = answering(data?.data ?? [])
    .map(({ id }) => id)
    .toSorted()
  const others = chosen === undefined || ids.includes(chosen) ? [] : [chosen]
  return (
    <Select
      label="Model"
      searchable
      allowDeselect={false}
      limit={shownAtMost}
      nothingFoundMessage="No such model"
      data={[...others, ...ids]}
      value={chosen ?? null}
      onChange={(model) =>
        void navigate({ search: { model: model ?? undefined }, replace: true, resetScroll: false })
      }
    />
  )
}
