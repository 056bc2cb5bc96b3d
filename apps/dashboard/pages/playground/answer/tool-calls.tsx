import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../../components/code-block.tsx'
import { IconTool } from '../../../icons/icons.ts'
import { waitsForResults, type Step } from '../conversation/conversation.ts'
import type { ToolCall } from '../conversation/turn.ts'
import classes from './rounds.module.css'

interface ToolCallsProps {
  step: Step
  /** Undefined if this answer does not wait for results. */
  onResults: ((results: Readonly<Record<string, string>>) => void) | undefined
}

/** The model's tool calls and their results. The user types the results: the playground runs no tools. */
export function ToolCalls({ step, onResults }: ToolCallsProps) {
  const { toolCalls, results } = step
  const [typed, setTyped] = useState<Record<string, string>>({})
  if (toolCalls.length === 0) return null
  const isAsking = onResults !== undefined && waitsForResults(step)
  return (
    <Stack gap="sm" mt="sm">
      {toolCalls.map((call) => (
        <div key={call.id} className={classes.call}>
          <Group gap={6} mb={6}>
            <IconTool size={15} aria-hidden />
            <Text size="sm" fw={600} ff="monospace">
              {call.name}
            </Text>
          </Group>
          <CodeBlock code={prettyJson(call)} label={`Arguments of ${call.name}`} wrap isPartOfText />
          {isAsking && (
            <Textarea
              mt="xs"
              label={`Result of ${call.name}`}
              placeholder={'The tool\'s result, such as {"temperature": 21}'}
              autosize
              minRows={2}
              maxRows={10}
              value={typed[call.id] ?? ''}
              onChange={(event) => setTyped({ ...typed, [call.id]: event.currentTarget.value })}
            />
          )}
          {results !== undefined && (
            <>
              <Text size="xs" c="dimmed" mt="xs" mb={4}>
                Result
              </Text>
              <Text size="sm" className={classes.text} ff="monospace">
                {results[call.id] === '' ? '(empty)' : results[call.id]}
              </Text>
            </>
          )}
        </div>
      ))}
      {isAsking && (
        <Button
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onResults(Object.fromEntries(toolCalls.map(({ id }) => [id, typed[id] ?? ''])))}
        >
          {toolCalls.length === 1 ? 'Send the result' : 'Send the results'}
        </Button>
      )}
    </Stack>
  )
}

const spaces = 2

/** Text that is not valid JSON, or not yet, is shown unchanged. */
function prettyJson({ arguments: text }: ToolCall): string {
  try {
    return JSON.stringify(JSON.parse(text), null, spaces)
  } catch {
    return text
  }
}
