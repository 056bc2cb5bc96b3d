import { Tooltip } from '@mantine/core'
import { PageLink } from '../components/page-link.tsx'
import { IconCube } from '../icons/icons.ts'

/** A model's name in a table row, linked to its page; null: no model answered. */
export function ServedModel({ id }: { id: string | null }) {
  if (id === null) return 'none'
  return (
    <PageLink to="/models/$" params={{ _splat: id }} c="inherit" underline="hover">
      {id}
    </PageLink>
  )
}

/** Links to a model's page, next to a name that links elsewhere. */
export function AboutModel({ id }: { id: string }) {
  const label = `About ${id}`
  return (
    <Tooltip label={label}>
      <PageLink to="/models/$" params={{ _splat: id }} c="dimmed" ml={6} aria-label={label}>
        <IconCube size={14} style={{ verticalAlign: '-2px' }} />
      </PageLink>
    </Tooltip>
  )
}
