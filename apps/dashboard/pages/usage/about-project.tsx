import { Tooltip } from '@mantine/core'
import { PageLink } from '../../components/page-link.tsx'
import { IconFolder } from '../../icons/icons.ts'

/** Links to a project's page, next to a name that links elsewhere. */
export default function AboutProject({ id, name }: { id: string; name: string }) {
  const label = `About ${name}`
  return (
    <Tooltip label={label}>
      <PageLink to="/projects/$projectId" params={{ projectId: id }} c="dimmed" ml={6} aria-label={label}>
        <IconFolder size={14} style={{ verticalAlign: '-2px' }} />
      </PageLink>
    </Tooltip>
  )
}
