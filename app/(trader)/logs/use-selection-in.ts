"use client";
import { useEffect, useState, type RefObject } from "react";

/** True while text inside the element is selected. */
export function useSelectionIn(element: RefObject<HTMLElement | null>): boolean {
  const [isSelected, setSelected] = useState(false);
  useEffect(() => {
    function update() {
      const selection = document.getSelection();
      const isInside =
        selection !== null && !selection.isCollapsed && element.current?.contains(selection.anchorNode) === true;
      setSelected(isInside);
    }
    document.addEventListener("selectionchange", update);
    return () => document.removeEventListener("selectionchange", update);
  }, [element]);
  return isSelected;
}
