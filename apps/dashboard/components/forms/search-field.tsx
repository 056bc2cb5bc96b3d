import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '../../icons/icons.ts'
import { useState } from 'react'

const typingMs = 300

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string | undefined
  onSearch: (text: string | undefined) => void
}

/** Searches once the user stops typing. */
export function SearchField({ label, placeholder, value = '', onSearch }: SearchFieldProps) {
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
      flex="1 1 240px"
      maw={360}
      maxLength={255}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        search(text)
      }}
    />
  )
}
