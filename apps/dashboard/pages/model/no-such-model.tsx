import { List, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { findModels } from '../../models/find-models.ts'

const most = 8

/** Shown for a model that is gone, or a name that is misspelled. */
export function NoSuchModel({ name, models }: { name: string; models: readonly Schemas['Model'][] }) {
  const near = findModels(models, name.slice(name.indexOf('/') + 1)).slice(0, most)
  return (
    <>
      <PageHeader title="Model not found" description={`There is no model called “${name}”.`} />
      <Panel>
        {near.length > 0 && (
          <>
            <Text size="sm">Did you mean one of these?</Text>
            <List size="sm" my="sm">
              {near.map(({ id }) => (
                <List.Item key={id}>
                  <PageLink to="/models/$" params={{ _splat: id }}>
                    {id}
                  </PageLink>
                </List.Item>
              ))}
            </List>
          </>
        )}
        <PageLink to="/models">All models</PageLink>
      </Panel>
    </>
  )
}
