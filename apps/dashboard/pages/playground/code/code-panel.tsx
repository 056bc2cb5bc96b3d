import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { CodeTabs } from '../../../components/code-tabs.tsx'
import { apiNames, apis, languages, type Api, type ApiName } from './apis.ts'
import { headerTags } from './bodies/body.ts'
import { keyVariable, type CodeRequest } from './code-request.ts'
import { withShortFiles } from './short-files.ts'

/** The playground's requests as code, for each API of the gateway. */
export default function CodePanel({ requests }: { requests: readonly CodeRequest[] }): ReactNode {
  const [name, setName] = useState<ApiName>('chat')
  const [place, setPlace] = useState(0)
  const original = requests[place] ?? requests[0]
  if (original === undefined) return null
  const { request, shortened } = withShortFiles(original)
  const api: Api = apis[name]
  const misfit = api.misfit?.(request)
  const isUntold = headerTags(request.tags).length < request.tags.length
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        It reads the key from the variable <code>{keyVariable}</code>.
        {isUntold &&
          ' TypeScript and Gemini send tags in a header. Tags that do not fit in a header are left out.'}
        {shortened.length > 0 && ` Replace … with the base64 content of the file: ${shortened.join(', ')}.`}
      </Text>
      <Group gap="sm">
        <NativeSelect
          label="API"
          data={apiNames.map((value) => ({ value, label: apis[value].name }))}
          value={name}
          onChange={(event) => setName(event.currentTarget.value as ApiName)}
        />
        {requests.length > 1 && (
          <NativeSelect
            label="Model"
            data={requests.map(({ model }, index) => ({ value: String(index), label: model }))}
            value={String(place)}
            onChange={(event) => setPlace(Number(event.currentTarget.value))}
          />
        )}
      </Group>
      {misfit === undefined ? (
        <CodeTabs label={api.name} languages={languages} codeOf={(language) => api.code[language](request)} />
      ) : (
        <Text role="status">{misfit}</Text>
      )}
    </Stack>
  )
}
