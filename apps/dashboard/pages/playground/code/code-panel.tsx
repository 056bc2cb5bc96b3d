import { NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { CodeBlock } from '../../../components/code-block.tsx'
import { apiNames, apis, languages, type Api, type ApiName } from './apis.ts'
import { headerTags } from './bodies/body.ts'
import { withShortFiles } from './short-files.ts'
import { keyVariable, type CodeRequest } from './code-request.ts'

/** The request of the playground as a program would send it, by each API that the gateway speaks. */
export default function CodePanel({ request: asked }: { request: CodeRequest }): ReactNode {
  const { request, shortened } = withShortFiles(asked)
  const [name, setName] = useState<ApiName>('chat')
  const api: Api = apis[name]
  const misfit = api.misfit?.(request)
  const isUntold = name === 'gemini' && headerTags(request.tags).length < request.tags.length
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        It reads the key from the variable <code>{keyVariable}</code>.
        {isUntold && ' Tags that a header cannot hold are left out.'}
        {shortened.length > 0 && ` Put in place of … the file, in base64: ${shortened.join(', ')}.`}
      </Text>
      <NativeSelect
        label="API"
        maw={320}
        data={apiNames.map((value) => ({ value, label: apis[value].name }))}
        value={name}
        onChange={(event) => setName(event.currentTarget.value as ApiName)}
      />
      {misfit === undefined ? (
        <Tabs defaultValue="curl">
          <Tabs.List>
            {languages.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {language}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {languages.map((language) => (
            <Tabs.Panel key={language} value={language} pt="sm">
              <CodeBlock code={api.code[language](request)} label={`${api.name} in ${language}`} />
            </Tabs.Panel>
          ))}
        </Tabs>
      ) : (
        <Text role="status">{misfit}</Text>
      )}
    </Stack>
  )
}
