import { Button, Stack, TagsInput, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Composer } from './composer.tsx'
import { KeyChoice } from './key-choice.tsx'
import { ModelChoice, useChosenModel } from './model-choice.tsx'
import classes from './playground-page.module.css'
import { Turns } from './turns.tsx'
import { useConversation } from './use-conversation.ts'

/** A chat with any model, by a key, as a program would have it. */
export function PlaygroundPage() {
  const conversation = useConversation()
  const model = useChosenModel()
  const [rawKey, setRawKey] = useState('')
  const [system, setSystem] = useState('')
  const [tags, setTags] = useState(['playground'])
  const isReady = rawKey !== '' && model !== undefined
  const ask = (text: string) => conversation.ask(text, { rawKey, model: model ?? '', system, tags })
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
            <TagsInput
              label="Tags"
              description="What it is counted under."
              maxTags={20}
              value={tags}
              onChange={setTags}
            />
            <Textarea
              label="System prompt"
              autosize
              minRows={2}
              maxRows={8}
              value={system}
              onChange={(event) => setSystem(event.currentTarget.value)}
            />
          </Stack>
        </Panel>
      </div>
    </>
  )
}
