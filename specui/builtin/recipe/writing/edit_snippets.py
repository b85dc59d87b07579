"""Short code with places for names, and the names, for the tasks that rename."""

from __future__ import annotations

from string import Template

from specui.builtin.recipe.writing.extract_words import words

FUNCTIONS = words("""load_rows read_lines count_words find_best save_report draw_chart send_mail parse_date
open_door clean_text merge_lists print_table make_label check_order pack_boxes scan_files
build_index fetch_page trim_names sort_cards weigh_fruit paint_wall start_timer close_shop
plan_route wash_cups test_lamp move_robot list_birds grade_paper compute measure convert
collect prepare inspect describe publish arrange handle_event update_score get_user sum_costs
mean_speed first_match last_visit total_weight""")
LISTS = words("""prices rows lines words cards scores names orders birds boxes lamps files users points coins
tickets letters stations books songs recipes plants tools rooms planets keys tasks photos parcels
readings samples votes""")
ITEMS = words("""entry element record current part piece thing row_item one_value member unit node cell leaf token
slot pick_one detail""")
VALUES = words("""result output answer amount tally outcome counter found buffer best_so_far running_sum level state
final bigger_one kept summary_value total_now""")


def _python(text: str) -> Template:
    return Template(f"```python\n{text}\n```")


def _javascript(text: str) -> Template:
    return Template(f"```js\n{text}\n```")


SNIPPETS = (
    _python("""def $function($list):
    $value = 0
    for $item in $list:
        $value += $item
    return $value"""),
    _python("""def $function($list):
    $value = []
    for $item in $list:
        if $item > 0:
            $value.append($item)
    return $value


def $caller($list):
    print(len($function($list)))"""),
    _python("""def $function($list):
    return [$item.strip() for $item in $list]


def $caller(path):
    with open(path) as file:
        $list = file.readlines()
    return $function($list)"""),
    _python("""def $function($list, limit):
    for $item in $list:
        if $item >= limit:
            return $item
    return None


$value = $function([3, 8, 12], 10)
print($value)"""),
    _python("""def $function($list):
    $value = {}
    for $item in $list:
        $value[$item] = $value.get($item, 0) + 1
    return $value"""),
    _python("""class Store:
    def __init__(self):
        self.$list = []

    def $function(self, $item):
        self.$list.append($item)

    def $caller(self):
        for $item in self.$list:
            print($item)"""),
    _python("""import sys


def $function($list):
    $value = max($list)
    print("largest:", $value)


def $caller():
    $list = [int($item) for $item in sys.argv[1:]]
    $function($list)


$caller()"""),
    _python("""def $function($item):
    return $item * $item


def $caller($list):
    $value = 0
    for $item in $list:
        $value = $value + $function($item)
    return $value"""),
    _python("""$list = ["red", "green", "blue"]


def $function($item):
    return $item.upper()


for $item in $list:
    print($function($item))"""),
    _python("""def $caller():
    $list = [4, 5, 6]
    $value = $function($list)
    assert $value == 15
    assert len($list) == 3"""),
    _javascript("""function $function($list) {
  let $value = 0;
  for (const $item of $list) {
    $value += $item;
  }
  return $value;
}"""),
    _javascript("""function $function($list) {
  const $value = $list.filter(($item) => $item > 0);
  return $value.length;
}

function $caller($list) {
  console.log("count:", $function($list));
}"""),
    _javascript("""const $list = [];

function $function($item) {
  $list.push($item);
  return $list.length;
}

function $caller() {
  for (const $item of $list) {
    console.log($item);
  }
}"""),
    _javascript("""async function $function(url) {
  const $value = await fetch(url);
  if (!$value.ok) {
    return [];
  }
  return $value.json();
}

async function $caller() {
  const $list = await $function("/api/list");
  console.log($list.length);
}"""),
    Template("""```c
int $function(const int *$list, int count) {
    int $value = 0;
    for (int i = 0; i < count; i++) {
        $value += $list[i];
    }
    return $value;
}
```"""),
    Template("""```c
int $function(int $item) {
    int $value = $item * 2;
    return $value + 1;
}

int $caller(void) {
    int $value = $function(20);
    return $value;
}
```"""),
    Template("""```sh
$function() {
    for $item in "$$@"; do
        echo "$$$item"
    done
}

$value=$$($function one two three)
echo "$$$value"
```"""),
)
