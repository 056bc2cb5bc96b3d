import type { Project } from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const projectSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('project'),
    name: Type.String(),
    created_at: timestamp,
    archived_at: nullable(
      Type.Integer({ description: 'No keys can be added since then; existing keys keep working.' }),
    ),
  },
  { title: 'Project' },
)

export function projectRecord(project: Project): Static<typeof projectSchema> {
  return {
    id: project.id,
    object: 'project',
    name: project.name,
    created_at: epochSeconds(project.createdAtMs),
    archived_at: epochSecondsOrNull(project.archivedAtMs),
  }
}
