import { NativeSelect, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { modelCode } from '../../code/model-code.ts'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { Panel } from '../../components/panel.tsx'
import { languages } from '../playground/code/apis.ts'
import { keyVariable } from '../playground/code/code-request.ts'

interface ModelCodePanelProps {
  model: string
  endpoints: Schemas['ModelProviders']['endpoints']
}

/** Code for a first request to a model, one sample per API. */
export default function ModelCodePanel({ model, endpoints }: ModelCodePanelProps): ReactNode {
  const ways = modelCode(model, endpoints, location.origin)
  const [chosen, setChosen] = useState(ways[0]?.endpoint)
  const way = ways.find(({ endpoint }) => endpoint === chosen) ?? ways[0]
  if (way === undefined) return null
  return (
    <Panel title="Use this model">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          It reads your API key from the variable <code>{keyVariable}</code>.
        </Text>
        {ways.length > 1 && (
          <NativeSelect
            label="API"
            maw={320}
            data={ways.map(({ endpoint, name }) => ({ value: endpoint, label: name }))}
            value={way.endpoint}
            onChange={(event) => setChosen(event.currentTarget.value as typeof way.endpoint)}
          />
        )}
        <CodeTabs label={way.name} languages={languages} codeOf={(language) => way.code[language]} />
      </Stack>
    </Panel>
  )
}
