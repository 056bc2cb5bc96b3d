import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useKeyNames } from '../../api/key-names.ts'
import { Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { endpointNames, operationNames } from '../../filters/endpoints.ts'
import { ServedModel } from '../../models/served-model.tsx'
import { Tags } from './tags.tsx'

export function RequestFacts({ request }: { request: Schemas['RequestDetail'] }) {
  const keyName = useKeyNames().get(request.key_id) ?? request.key_id
  return (
    <Panel title="Request">
      <Facts
        facts={[
          ['Endpoint', `${endpointNames[request.endpoint]}${request.stream ? ', streamed' : ''}`],
          ['Operation', operationNames[request.operation]],
          [
            'Key',
            <PageLink to="/usage" search={{ key: request.key_id }} key="key">
              {keyName}
            </PageLink>,
          ],
          ['Requested model', request.model_asked],
          ['Served by', <ServedModel key="served" id={request.model_served} />],
          ['Provider', request.provider ?? 'none'],
          ['Tier', request.tier ?? <Text key="tier" size="sm" c="dimmed" children="not routed" />],
          ...droppedFields(request),
          ['Tags', <Tags key="tags" tags={request.tags} />],
        ]}
      />
    </Panel>
  )
}

/** The fields that were not sent to the vendor, if any. */
function droppedFields({ dropped }: Schemas['RequestDetail']): [name: string, value: ReactNode][] {
  return dropped.length === 0 ? [] : [['Left out', <Code key="dropped">{dropped.join(', ')}</Code>]]
}
