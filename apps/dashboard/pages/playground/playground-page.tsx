import { Button, Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { IconTrash } from '../../icons/icons.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import type { CodeRequest } from './code/code-request.ts'
import { Composer } from './composer.tsx'
import { KeyChoice } from './key-choice.tsx'
import { ModelChoice, useChosenModel } from './model-choice.tsx'
import classes from './playground-page.module.css'
import { RequestSettings, type Settings } from './request-settings.tsx'
import type { Turn } from './turn.ts'
import { Turns } from './turns.tsx'
import { useConversation } from './use-conversation.ts'

/** Below the conversation, and as large as the rest of the page. Where it does not arrive, one can chat. */
const CodePanel = lazy(() => import('./code/code-panel.tsx').catch(() => ({ default: () => null })))

/** A chat with any model, by a key, as a program would have it. */
export function PlaygroundPage() {
  const conversation = useConversation()
  const model = useChosenModel()
  const [rawKey, setRawKey] = useState('')
  const [settings, setSettings] = useState<Settings>({ system: '', tags: ['playground'] })
  const isReady = rawKey !== '' && model !== undefined
  const { system } = settings
  const request: CodeRequest = {
    ...settings,
    origin: location.origin,
    model: model ?? '',
    system: system.trim() === '' ? '' : system,
    turns: lastQuestion(conversation.turns),
  }
  const ask = (text: string) => conversation.ask(text, { rawKey, request })
  return (
    <>
      <PageHeader
        title="Playground"
        description="Each turn is a request as any other: it costs, and stands in the log, without its texts."
      >
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          disabled={conversation.turns.length === 0}
          onClick={conversation.clear}
        >
          Start anew
        </Button>
      </PageHeader>
      <div className={classes.columns}>
        <Panel className={classes.conversation}>
          <Stack h="100%" gap="md">
            <Turns turns={conversation.turns} isAnswering={conversation.isAnswering} />
            {conversation.error !== undefined && <FailureNote error={conversation.error} />}
            <Composer
              isReady={isReady}
              isAnswering={conversation.isAnswering}
              onAsk={ask}
              onStop={conversation.stop}
            />
          </Stack>
        </Panel>
        <Panel className={classes.settings}>
          <Stack gap="md">
            <ModelChoice />
            <KeyChoice onChange={setRawKey} />
            <RequestSettings settings={settings} onChange={setSettings} />
          </Stack>
        </Panel>
        <div className={classes.code}>
          <Suspense fallback={<Skeleton height={320} radius="lg" />}>
            <CodePanel request={request} />
          </Suspense>
        </div>
      </div>
    </>
  )
}

/** The conversation up to what was asked last; before that, something to ask. */
function lastQuestion(turns: readonly Turn[]): CodeRequest['turns'] {
  const end = turns.findLastIndex(({ role }) => role === 'user')
  return end === -1 ? [{ role: 'user', text: 'Hello!' }] : turns.slice(0, end + 1)
}
