import { TagsInput, type TagsInputProps } from '@mantine/core'

export default function OpenedTagsInput(props: TagsInputProps) {
  return <TagsInput {...props} />
}
