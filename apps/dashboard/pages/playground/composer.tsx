import { ActionIcon, Group, Textarea } from '@mantine/core'
import { IconArrowUp, IconPlayerStopFilled } from '../../icons/icons.ts'
import { useState } from 'react'

interface ComposerProps {
  /** A model and a key are chosen. */
  isReady: boolean
  isAnswering: boolean
  /** Answers whether the question was taken: else it stays to be mended. */
  onAsk: (text: string) => Promise<boolean>
  onStop: () => void
}

export function Composer({ isReady, isAnswering, onAsk, onStop }: ComposerProps) {
  const [text, setText] = useState('')
  const canAsk = isReady && !isAnswering && text.trim() !== ''
  const ask = async () => {
    if (!canAsk) return
    const asked = text
    setText('')
    if (!(await onAsk(asked))) setText(asked)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          aria-label="Message"
          placeholder={isReady ? 'Write a message; Enter sends it' : 'Choose a key first'}
          autosize
          minRows={1}
          maxRows={10}
          flex={1}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void ask()
          }}
        />
        {isAnswering ? (
          <ActionIcon size={36} variant="default" aria-label="Stop the answer" onClick={onStop}>
            <IconPlayerStopFilled size={16} />
          </ActionIcon>
        ) : (
          <ActionIcon size={36} type="submit" aria-label="Send" disabled={!canAsk}>
            <IconArrowUp size={18} />
          </ActionIcon>
        )}
      </Group>
    </form>
  )
}
