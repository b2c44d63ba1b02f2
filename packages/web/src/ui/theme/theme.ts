import { createTheme } from "@mantine/core";

/** Colours, type and spacing are CSS variables (tokens.css, mantine-variables.css); only defaults of components stand here. */
export const theme = createTheme({
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    Select: { defaultProps: { size: "md" } },
    // Every close button says what it is; an icon alone is silent.
    CloseButton: { defaultProps: { "aria-label": "Close" } },
  },
});
