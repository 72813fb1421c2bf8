import { Button, type ButtonProps, Group } from '@mantine/core';
import { texts } from '../i18n/texts';

const common = texts('common');

interface FormProps extends Omit<React.ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
}

/** A form that does not load another page when it is submitted. */
export function SubmitForm({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

interface ButtonsProps extends Pick<ButtonProps, 'loading' | 'disabled'> {
  onCancel: () => void;
  /** The label of the submit button. */
  children: React.ReactNode;
}

/** The buttons of a form: cancel and submit. */
export function FormButtons({ onCancel, children, ...submit }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {common('cancel')}
      </Button>
      <Button type="submit" {...submit}>
        {children}
      </Button>
    </Group>
  );
}
