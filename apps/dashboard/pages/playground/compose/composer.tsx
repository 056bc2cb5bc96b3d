import { ActionIcon, FileButton, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core'
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '../../../icons/icons.ts'
import type { Question } from '../conversation/conversation.ts'
import type { Attachment } from '../conversation/turn.ts'
import { playground } from '../conversation/store.ts'
import { usePlayground } from '../conversation/use-playground.ts'
import { AttachmentList } from './attachment-list.tsx'
import { acceptedTypes } from './attachments.ts'
import classes from './composer.module.css'
import { useAttachments } from './use-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'

interface ComposerProps {
  /** Why no question can be sent now; undefined if one can. */
  hindrance: string | undefined
  /** Which attachments the models do not support. */
  warningOf: (attachments: readonly Attachment[]) => string | undefined
  /** Resolves with whether the question was accepted; if not, it stays in the field. */
  onAsk: (question: Question) => Promise<boolean>
  onStop: () => void
}

/** The field for the next question. It stays in view, however long the conversation is. */
export function Composer({ hindrance, warningOf, onAsk, onStop }: ComposerProps) {
  const { draft, running } = usePlayground()
  const { attachments, problems, add, set } = useAttachments()
  const isAnswering = running.size > 0
  const isEmpty = draft.trim() === '' && attachments.length === 0
  const isOver = useFileDrop(add)
  const ask = async () => {
    if (hindrance !== undefined || isAnswering || isEmpty) return
    const question = { text: draft, attachments }
    playground.change({ draft: '' })
    set([])
    if (await onAsk(question)) return
    // Do not overwrite what the user has typed meanwhile.
    if (playground.read().draft === '') playground.change({ draft: question.text })
    set(question.attachments)
  }
  const warning = warningOf(attachments)
  const notes = [...problems, ...(warning === undefined ? [] : [warning])]
  return (
    <form
      className={classes.composer}
      data-over={isOver || undefined}
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <Stack gap="xs">
        <Notes notes={notes} hindrance={hindrance} />
        <AttachmentList
          attachments={attachments}
          onRemove={(index) => set(attachments.toSpliced(index, 1))}
        />
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <FilePicker onPick={add} />
          <MessageField
            placeholder={isOver ? 'Drop to attach' : 'Write a message'}
            onFiles={add}
            onAsk={ask}
          />
          {isAnswering ? (
            <ActionIcon size={36} variant="default" aria-label="Stop the answer" onClick={onStop}>
              <IconPlayerStopFilled size={16} />
            </ActionIcon>
          ) : (
            <ActionIcon
              size={36}
              type="submit"
              aria-label="Send"
              disabled={hindrance !== undefined || isEmpty}
            >
              <IconArrowUp size={18} />
            </ActionIcon>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function Notes({ notes, hindrance }: { notes: readonly string[]; hindrance: string | undefined }) {
  return (
    <>
      {notes.length > 0 && (
        <div role="alert">
          {notes.map((note) => (
            <Text key={note} size="sm" c="var(--mantine-color-error)">
              {note}
            </Text>
          ))}
        </div>
      )}
      {hindrance !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          {hindrance}
        </Text>
      )}
    </>
  )
}

function FilePicker({ onPick }: { onPick: (files: File[]) => void }) {
  return (
    <FileButton multiple accept={acceptedTypes} onChange={onPick} inputProps={{ 'aria-label': 'Files' }}>
      {(props) => (
        <Tooltip label="Attach images, PDFs or texts">
          <ActionIcon size={36} variant="subtle" color="gray" aria-label="Attach files" {...props}>
            <IconPaperclip size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}

interface MessageFieldProps {
  placeholder: string
  onFiles: (files: File[]) => void
  onAsk: () => Promise<void>
}

function MessageField({ placeholder, onFiles, onAsk }: MessageFieldProps) {
  const { draft } = usePlayground()
  return (
    <Textarea
      aria-label="Message"
      placeholder={placeholder}
      autosize
      minRows={1}
      maxRows={10}
      flex={1}
      value={draft}
      onChange={(event) => playground.change({ draft: event.currentTarget.value })}
      onPaste={(event) => {
        const files = [...event.clipboardData.files]
        if (files.length > 0) event.preventDefault()
        onFiles(files)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        void onAsk()
      }}
    />
  )
}
