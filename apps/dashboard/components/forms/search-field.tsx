import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '../../icons/icons.ts'
import { useState } from 'react'

interface SearchFieldProps extends Pick<TextInputProps, 'flex' | 'maw'> {
  label: string
  placeholder: string
  value: string | undefined
  /** How long the user must have stopped typing. */
  typingMs?: number
  onSearch: (text: string | undefined) => void
}

/** Searches once the user stops typing. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value = '', typingMs = 300, onSearch, flex = '1 1 240px', maw = 360 } = props
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  // The address changed otherwise than by typing: the user went back, or cleared the filter.
  if (value !== sent) {
    setSent(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const search = useDebouncedCallback((text: string) => onSearch(text.trim() || undefined), typingMs)
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      flex={flex}
      maw={maw}
      maxLength={255}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        search(text)
      }}
    />
  )
}
