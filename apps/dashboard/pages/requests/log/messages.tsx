import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { countOf } from '../../../format/number.ts'
import { sizeOf } from './size.ts'
import classes from './log-panel.module.css'

type Message = Schemas['LoggedMessage']
type Part = Message['parts'][number]

interface Sided {
  side: 'request' | 'answer'
  message: Message
}

/** Of a longer conversation, the end is shown first; an agent's may have hundreds of messages. */
const shownAtFirst = 12
const longText = 2_500

const roleNames: Record<string, string> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  model: 'Model',
  tool: 'Tool',
  document: 'Document',
  error: 'Error',
}

/** The request's messages and then the answer's, as a conversation. */
export function Messages({ request, answer }: { request: readonly Message[]; answer: readonly Message[] }) {
  const all: Sided[] = [
    ...request.map((message) => ({ side: 'request' as const, message })),
    ...answer.map((message) => ({ side: 'answer' as const, message })),
  ]
  const [isWhole, setWhole] = useState(all.length <= shownAtFirst)
  const left = isWhole ? 0 : all.length - shownAtFirst
  if (all.length === 0) return <Text size="sm">It contains no messages. View it as JSON.</Text>
  return (
    <Stack gap="md">
      {left > 0 && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)} style={{ alignSelf: 'center' }}>
          Show {countOf(left, 'earlier message')}
        </Button>
      )}
      <ol className={classes.messages} aria-label="Messages">
        {all.slice(left).map(({ side, message }, index) => (
          <li key={index} className={classes.message} data-side={side} data-role={message.role}>
            <Text
              size="xs"
              fw={600}
              c={message.role === 'error' ? 'var(--mantine-color-error)' : 'dimmed'}
              mb={6}
            >
              {roleNames[message.role] ?? message.role}
            </Text>
            <Stack gap="sm">
              {message.parts.map((part, place) => (
                <PartShown key={place} part={part} />
              ))}
            </Stack>
          </li>
        ))}
      </ol>
    </Stack>
  )
}

function PartShown({ part }: { part: Part }) {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return <LongText text={part.text} />
    case 'reasoning':
      return (
        <details className={classes.details}>
          <summary>Reasoning</summary>
          <Text size="sm" c="dimmed" mt="xs" className={classes.text}>
            {part.text}
          </Text>
        </details>
      )
    case 'tool_call':
    case 'tool_result':
      return <ToolPart part={part} />
    case 'media':
      return <MediaPart part={part} />
    case 'other':
      return <CodeBlock code={prettyJson(part.text)} label="Other part" wrap />
  }
}

function ToolPart({ part }: { part: Part }) {
  const isCall = part.type === 'tool_call'
  const label = `${isCall ? 'Calls' : 'Result of'} ${part.name ?? 'a tool'}`
  return (
    <div>
      <Group gap="xs" mb={6}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
        {part.call_id !== undefined && (
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {part.call_id}
          </Text>
        )}
      </Group>
      <div className={classes.long}>
        <CodeBlock code={prettyJson(part.text)} label={label} wrap />
      </div>
    </div>
  )
}

function MediaPart({ part: { media_type: type = 'media', bytes, text } }: { part: Part }) {
  return (
    <div>
      <span className={classes.media}>
        {type}
        {bytes !== undefined && <span>· {sizeOf(bytes)}, not kept</span>}
        {text !== '' && <span>· {text}</span>}
      </span>
    </div>
  )
}

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= longText)
  return (
    <div>
      <Text className={`${classes.text} ${isWhole ? '' : classes.folded}`}>{text}</Text>
      {!isWhole && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setWhole(true)}>
          Show all
        </Button>
      )}
    </div>
  )
}

/** Arguments and results are mostly JSON; anything else is shown unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
